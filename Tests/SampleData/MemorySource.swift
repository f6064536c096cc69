import RecordFormats

/// Bytes in memory that are read in pieces of specified sizes.
package struct MemorySource: ByteSource {
  package let name: String
  package var recordLimit = RecordLimit.greatest
  private var rest: ArraySlice<UInt8>
  private let pieces: [Int]
  private var piece = 0

  /// - Parameter pieces: the sizes of the first pieces. The remaining bytes are one piece.
  package init(_ bytes: [UInt8], name: String = "<memory>", pieces: [Int] = []) {
    rest = bytes[...]
    self.name = name
    self.pieces = pieces
  }

  package init(_ text: String, name: String = "<memory>") {
    self.init(Array(text.utf8), name: name)
  }

  package mutating func read(into space: UnsafeMutableRawBufferPointer) -> Int {
    let size = piece < pieces.count ? pieces[piece] : rest.count
    piece += 1
    let part = rest.prefix(min(max(size, 1), space.count))
    space.copyBytes(from: part)
    rest = rest.dropFirst(part.count)
    return part.count
  }
}
