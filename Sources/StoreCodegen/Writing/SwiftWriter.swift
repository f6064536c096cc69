/// Swift source, line by line.
struct SwiftWriter: Hashable, Sendable {
  private(set) var text = ""
  private var depth: Int

  /// - Parameter depth: how many blocks it stands in.
  init(depth: Int = 0) { self.depth = depth }

  private var margin: String { String(repeating: " ", count: indent) }
  private var indent: Int { depth * SwiftCode.indentation }

  mutating func line(_ code: SwiftCode) {
    text += margin + code.text(indent: indent, column: indent, tail: 0) + "\n"
  }

  /// The code has no need of a break.
  func fits(_ code: SwiftCode) -> Bool { indent + code.flat.count <= SwiftCode.lineLength }

  /// The lines of another one, which is at this depth.
  mutating func append(_ other: SwiftWriter) { text += other.text }

  /// One empty line, none behind another or behind an opening brace.
  mutating func gap() {
    guard !text.isEmpty, !text.hasSuffix("\n\n"), !text.hasSuffix("{\n") else { return }
    text += "\n"
  }

  /// `head { … }`
  mutating func block(_ head: SwiftCode, _ body: (inout SwiftWriter) -> Void) {
    line(.row([head, " {"]))
    let start = text.endIndex
    depth += 1
    body(&self)
    depth -= 1
    if text.endIndex == start {
      text.removeLast()
      text += "}\n"
    } else {
      text += margin + "}\n"
    }
  }

  /// `head { expression }`, on one line where that fits.
  mutating func block(_ head: SwiftCode, returning expression: SwiftCode) {
    let flat = "\(head.flat) { \(expression.flat) }"
    if indent + flat.count <= SwiftCode.lineLength {
      text += margin + flat + "\n"
    } else {
      block(head) { $0.line(expression) }
    }
  }

  /// Lines with `///` or another mark in front, wrapped at words.
  mutating func comment(_ words: String, mark: String = "///") {
    for line in words.split(whereSeparator: \.isNewline) {
      var current = margin + mark
      for word in line.split(separator: " ") {
        let isFirst = current == margin + mark
        if !isFirst, current.count + 1 + word.count > SwiftCode.lineLength {
          text += current + "\n"
          current = margin + mark
        }
        current += " " + word
      }
      text += current + "\n"
    }
  }
}
