import RecordFormats

extension ByteSource {
  /// All that is left; nil where that is more.
  func readAll(atMost limit: Int) throws -> [UInt8]? {
    var source = self
    var bytes: [UInt8] = []
    while true {
      let piece = try [UInt8](unsafeUninitializedCapacity: 1 << 16) { space, count in
        count = try source.read(into: UnsafeMutableRawBufferPointer(space))
      }
      guard !piece.isEmpty else { return bytes }
      bytes += piece
      guard bytes.count <= limit else { return nil }
    }
  }

  /// All that is left.
  func readAll() throws -> [UInt8] { try readAll(atMost: .max) ?? [] }
}
