/// Swift source, line by line.
struct SwiftWriter: Hashable, Sendable {
  private(set) var text = ""
  private var depth = 0

  private var margin: String { String(repeating: " ", count: indent) }
  private var indent: Int { depth * SwiftCode.indentation }

  mutating func line(_ code: SwiftCode) {
    text += margin + code.text(indent: indent, column: indent, tail: 0) + "\n"
  }

  /// One empty line, none behind another or behind an opening brace.
  mutating func gap() {
    guard !text.isEmpty, !text.hasSuffix("\n\n"), !text.hasSuffix("{\n") else { return }
    text += "\n"
  }

  /// `head { … }`
  mutating func block(_ head: SwiftCode, _ body: (inout SwiftWriter) -> Void) {
    line(.row([head, " {"]))
    depth += 1
    body(&self)
    depth -= 1
    text += margin + "}\n"
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
