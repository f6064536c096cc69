import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension ExternalFolder {
  /// Whether a file holds the same bytes as one of another store, read piece by piece.
  ///
  /// - Returns: nil when neither is read; false when one of them is not. Both are counted.
  /// - Throws: `ExternalValueMissing`
  package func hasSameContent(
    _ name: String, as other: ExternalFolder, _ otherName: String
  ) throws(ExternalValueMissing) -> Bool? {
    if path == other.path && name == otherName { return true }
    let file = try reading(name) { folder throws(ExternalFileError) in
      OpenedFile(try folder.opened(name), "\(path)/\(name)")
    }
    let otherFile = try other.reading(otherName) { folder throws(ExternalFileError) in
      OpenedFile(try folder.opened(otherName), "\(other.path)/\(otherName)")
    }
    guard let file, let otherFile else { return file == nil && otherFile == nil ? nil : false }
    let result = try reading(name) { _ throws(ExternalFileError) in
      try file.hasSameContent(as: otherFile)
    }
    return result ?? false
  }
}

/// A file that is closed with its value.
private final class OpenedFile {
  private let descriptor: Int32
  private let path: FilePath

  init(_ descriptor: Int32, _ path: FilePath) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  func hasSameContent(as other: OpenedFile) throws(ExternalFileError) -> Bool {
    guard size == other.size else { return false }
    let space = UnsafeMutableRawBufferPointer.allocate(
      byteCount: HeldFolder.pieceSize * 2, alignment: 16)
    defer { space.deallocate() }
    let halves = (
      UnsafeMutableRawBufferPointer(rebasing: space[..<HeldFolder.pieceSize]),
      UnsafeMutableRawBufferPointer(rebasing: space[HeldFolder.pieceSize...])
    )
    while true {
      let counts = (try read(into: halves.0), try other.read(into: halves.1))
      guard counts.0 == counts.1 else { return false }
      guard counts.0 > 0 else { return true }
      guard halves.0[..<counts.0].elementsEqual(halves.1[..<counts.0]) else { return false }
    }
  }

  private var size: Int64 {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : -1
  }

  /// Fills the space as far as the file goes.
  private func read(into space: UnsafeMutableRawBufferPointer) throws(ExternalFileError) -> Int {
    var count = 0
    while count < space.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: space[count...])
      let got = systemRead(descriptor, rest.baseAddress, rest.count)
      if got == 0 { break }
      if got > 0 {
        count += got
      } else if errno != EINTR {
        throw .unreadable(path: path, code: errno)
      }
    }
    return count
  }
}
