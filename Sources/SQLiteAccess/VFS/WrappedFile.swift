import CSQLite

/// A file between SQLite and its default VFS. Its handle is an `sqlite3_file`, followed by a reference to this object.
///
/// Only one connection uses the file, and therefore only one thread at a time.
package class WrappedFile {
  typealias Handle = UnsafeMutablePointer<sqlite3_file>

  /// The file of the default VFS. Only that VFS knows its size in memory.
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

  /// Attaches this object to SQLite's handle, which retains it. `xClose` must release the reference.
  func attach(to handle: Handle, _ methods: UnsafePointer<sqlite3_io_methods>) {
    (UnsafeMutableRawPointer(handle) + Self.referenceOffset)
      .storeBytes(of: Unmanaged.passRetained(self).toOpaque(), as: UnsafeMutableRawPointer.self)
    handle.pointee.pMethods = methods
  }

  /// Returns the file that is attached to a handle.
  static func reference<File: WrappedFile>(_: File.Type, in handle: Handle) -> Unmanaged<File> {
    Unmanaged.fromOpaque(
      (UnsafeMutableRawPointer(handle) + referenceOffset)
        .load(as: UnsafeMutableRawPointer.self))
  }

  /// Methods of version 1 that forward locks, file controls and the properties of the device to the default VFS. The
  /// subclasses add the other operations, such as reading and writing.
  static var forwardingMethods: sqlite3_io_methods {
    var methods = sqlite3_io_methods()
    methods.iVersion = 1
    methods.xClose = { handle in
      guard let handle else { return SQLITE_MISUSE }
      return WrappedFile.reference(WrappedFile.self, in: handle).takeRetainedValue().close()
    }
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

  /// Calls a method of the default VFS with the wrapped file.
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
