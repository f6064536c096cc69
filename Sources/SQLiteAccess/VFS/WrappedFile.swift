import CSQLite

/// A file as SQLite calls it, with something of ours between SQLite and its default VFS:
/// `sqlite3_file`, then a reference to the object.
///
/// Used by one connection, and thus by one thread at a time.
package class WrappedFile {
  typealias Handle = UnsafeMutablePointer<sqlite3_file>

  /// The file as SQLite's default VFS knows it. Its size in memory is known only there.
  let original: Handle

  init(handleSize: Int) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: handleSize, alignment: MemoryLayout<sqlite3_int64>.alignment)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: handleSize)
    original = memory.assumingMemoryBound(to: sqlite3_file.self)
  }

  deinit {
    UnsafeMutableRawPointer(original).deallocate()
  }

  @discardableResult
  func close() -> CInt {
    original.pointee.pMethods?.pointee.xClose?(original) ?? SQLITE_OK
  }

  // MARK: The handle

  static let handleSize = referenceOffset + MemoryLayout<UnsafeMutableRawPointer>.size
  private static let referenceOffset = MemoryLayout<sqlite3_file>.stride

  /// SQLite owns the file from here on, until it calls `xClose`, which has to take the reference.
  func attach(to handle: Handle, _ methods: UnsafePointer<sqlite3_io_methods>) {
    (UnsafeMutableRawPointer(handle) + Self.referenceOffset)
      .storeBytes(of: Unmanaged.passRetained(self).toOpaque(), as: UnsafeMutableRawPointer.self)
    handle.pointee.pMethods = methods
  }

  /// Of a handle to which a file of this class was attached.
  static func reference<File: WrappedFile>(_: File.Type, in handle: Handle) -> Unmanaged<File> {
    Unmanaged.fromOpaque(
      (UnsafeMutableRawPointer(handle) + referenceOffset)
        .load(as: UnsafeMutableRawPointer.self))
  }

  /// Methods of version 1 that leave to the default VFS what a file of a database needs
  /// beside reading and writing.
  static var forwardingMethods: sqlite3_io_methods {
    var methods = sqlite3_io_methods()
    methods.iVersion = 1
    methods.xLock = { handle, level in WrappedFile.forward(handle) { $1.xLock?($0, level) } }
    methods.xUnlock = { handle, level in WrappedFile.forward(handle) { $1.xUnlock?($0, level) } }
    methods.xCheckReservedLock = { handle, result in
      WrappedFile.forward(handle) { $1.xCheckReservedLock?($0, result) }
    }
    methods.xFileControl = { handle, operation, argument in
      WrappedFile.forward(handle) { $1.xFileControl?($0, operation, argument) }
    }
    methods.xSectorSize = { handle in WrappedFile.forward(handle) { $1.xSectorSize?($0) } }
    methods.xDeviceCharacteristics = { handle in
      WrappedFile.forward(handle) { $1.xDeviceCharacteristics?($0) }
    }
    return methods
  }

  /// Calls the default VFS's method for its own part of the file.
  static func forward(
    _ handle: Handle?, _ call: (Handle, sqlite3_io_methods) -> CInt?
  ) -> CInt {
    guard let handle else { return SQLITE_MISUSE }
    let original = reference(WrappedFile.self, in: handle)
      ._withUnsafeGuaranteedRef { $0.original }
    guard let methods = original.pointee.pMethods else { return SQLITE_MISUSE }
    return call(original, methods.pointee) ?? SQLITE_MISUSE
  }
}
