/// Why a file could not be read as XML.
package struct XMLError: Error, Sendable {
  package enum Kind: Hashable, Sendable {
    case empty
    case tooLarge(bytes: Int)
    case tooManyAttributes(limit: Int)
    /// UTF-16 and the like: Xcode writes UTF-8.
    case notUTF8
    /// A document type could bring entities of its own, external ones too.
    case documentType
    /// Conflicts that a merge has left, by their lines.
    case conflicts([ClosedRange<Int>])
    /// libxml2's own words.
    case malformed(String)
    case noMemory
  }

  package var kind: Kind
  package var dialect: XMLDialect
  package var source: XMLSource
  package var range: Range<Int>
}

extension XMLError {
  /// The fault at the place where the parser noticed it.
  init(_ kind: Kind, at offset: Int, in source: XMLSource, as dialect: XMLDialect) {
    self.kind = kind
    self.dialect = dialect
    self.source = source
    let offset = min(max(offset, 0), source.bytes.count)
    range =
      switch kind {
      case .documentType: Self.documentType(before: offset, in: source.bytes)
      case .conflicts: offset..<offset
      case .empty, .tooLarge, .tooManyAttributes, .notUTF8, .malformed, .noMemory:
        Self.lastText(before: offset, in: source.bytes)
      }
  }

  /// The parser notices a DOCTYPE behind its name.
  private static func documentType(before offset: Int, in bytes: [UInt8]) -> Range<Int> {
    let start = bytes[..<offset].lastIndex(of: UInt8(ascii: "<")) ?? offset
    return start..<min(start + "<!DOCTYPE".utf8.count, bytes.count)
  }

  /// At the end of the file there may be nothing but line breaks to show.
  private static func lastText(before offset: Int, in bytes: [UInt8]) -> Range<Int> {
    guard offset == bytes.count else { return offset..<offset }
    let end = bytes.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
    return end..<end
  }
}
