/// A Swift source, split into code, string literals and comments.
struct SourceText {
  enum Part: Hashable {
    case code, literal, comment
    /// A comment that documents a declaration.
    case documentation
  }

  /// The text of one part in one line.
  struct Piece: Hashable {
    var part: Part
    var line: Int
    var text: String
  }

  private(set) var pieces: [Piece] = []
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(_ text: String) {
    bytes = Array(text.utf8)
    readCode(isInterpolation: false)
  }

  /// - Parameter isInterpolation: whether the code ends at the closing parenthesis of an interpolation.
  private mutating func readCode(isInterpolation: Bool) {
    var depth = 0
    var start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "/"), let part = commentPart {
        add(from: start, as: .code)
        readComment(part)
        start = position
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#"), let quote = quote {
        add(from: start, as: .code)
        readLiteral(quote)
        start = position
      } else {
        position += 1
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        if isInterpolation && depth < 0 { break }
      }
    }
    add(from: start, as: .code)
  }

  /// The kind of the comment that begins at the current position, if any.
  private var commentPart: Part? {
    if isHere("///") || isHere("/**") { return .documentation }
    return isHere("//") || isHere("/*") ? .comment : nil
  }

  private mutating func readComment(_ part: Part) {
    let start = position
    if isHere("//") {
      while position < bytes.count, bytes[position] != UInt8(ascii: "\n") { position += 1 }
    } else {
      var depth = 0
      repeat {
        let (opens, closes) = (isHere("/*"), isHere("*/"))
        depth += opens ? 1 : closes ? -1 : 0
        position += opens || closes ? 2 : 1
      } while depth > 0 && position < bytes.count
    }
    add(from: start, as: part)
  }

  /// The delimiters of a string literal: `"` or `"""`, either with `#`.
  private struct Quote {
    let opening: String
    let closing: String
    let escape: String
  }

  /// The delimiters of the literal that begins at the current position, if any.
  private var quote: Quote? {
    let signs = String(
      repeating: "#", count: bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count)
    guard let quotes = ["\"\"\"", "\""].first(where: { isHere(signs + $0) }) else { return nil }
    return Quote(opening: signs + quotes, closing: quotes + signs, escape: "\\" + signs)
  }

  private mutating func readLiteral(_ quote: Quote) {
    var start = position
    position += quote.opening.utf8.count
    let ends: [UInt8] = [UInt8(ascii: "\\"), UInt8(ascii: "\"")]
    while position < bytes.count {
      if !ends.contains(bytes[position]) {
        position += 1
      } else if isHere(quote.closing) {
        position += quote.closing.utf8.count
        break
      } else if isHere(quote.escape + "(") {
        add(from: start, as: .literal)
        let interpolation = position
        position += quote.escape.utf8.count + 1
        add(from: interpolation, as: .code)
        readCode(isInterpolation: true)
        start = position
      } else {
        position += isHere(quote.escape) ? quote.escape.utf8.count + 1 : 1
      }
    }
    add(from: start, as: .literal)
  }

  private func isHere(_ text: String) -> Bool {
    var index = position
    for byte in text.utf8 {
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
    }
    return true
  }

  /// Adds the text from `start` to the current position, line by line.
  private mutating func add(from start: Int, as part: Part) {
    let passed = bytes[start..<min(max(start, position), bytes.count)]
    let lines = passed.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, text) in lines.enumerated() {
      if index > 0 { line += 1 }
      guard !text.isEmpty else { continue }
      pieces.append(Piece(part: part, line: line, text: String(decoding: text, as: UTF8.self)))
    }
  }
}
