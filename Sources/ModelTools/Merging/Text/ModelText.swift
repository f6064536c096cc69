package import StoreModelReader

/// A model file as a tree that loses nothing: `bytes` is what was read.
package struct ModelText: Sendable {
  /// How the file ends its lines. One that mixes both counts as LF, and keeps its carriage returns.
  package enum LineEnd: String, Hashable, Sendable {
    case lf = "\n"
    case crlf = "\r\n"
  }

  /// With line ends of its own as `\n`.
  package let source: XMLSource
  var hasMark: Bool
  var lineEnd: LineEnd
  var root: TextElement
  /// Behind the root element.
  var rest: String

  /// - Throws: `XMLError` for what is no XML.
  package init(file: String, bytes: [UInt8]) throws(XMLError) {
    hasMark = bytes.starts(with: Self.mark)
    lineEnd = Self.lineEnd(of: bytes)
    let plain = lineEnd == .crlf ? bytes.filter { $0 != UInt8(ascii: "\r") } : bytes
    source = XMLSource(file: file, bytes: plain)
    _ = try XMLReader.read(source)
    var scanner = TextScanner(source.bytes)
    (root, rest) = scanner.document()
  }

  /// Whether two files have the same bytes.
  func isWritten(as other: ModelText) -> Bool {
    hasMark == other.hasMark && lineEnd == other.lineEnd && source.bytes == other.source.bytes
  }

  package var bytes: [UInt8] { encoded(root.text + rest) }

  /// Text of the file with its own line ends.
  func encoded(_ text: String) -> [UInt8] {
    let own = lineEnd == .crlf ? text.replacing("\n", with: "\r\n") : text
    return (hasMark ? Self.mark : []) + Array(own.utf8)
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static func lineEnd(of bytes: [UInt8]) -> LineEnd {
    var (feeds, returns, pairs, previous) = (0, 0, 0, UInt8(0))
    for byte in bytes {
      if byte == 0x0A {
        feeds += 1
        pairs += previous == 0x0D ? 1 : 0
      }
      returns += byte == 0x0D ? 1 : 0
      previous = byte
    }
    return feeds > 0 && pairs == feeds && returns == feeds ? .crlf : .lf
  }
}
