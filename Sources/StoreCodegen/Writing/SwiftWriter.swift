/// Writes Swift source line by line.
struct SwiftWriter: Hashable, Sendable {
  private(set) var text = ""
  private var depth: Int

  /// - Parameter depth: the number of enclosing blocks.
  init(depth: Int = 0) { self.depth = depth }

  private var margin: String { String(repeating: " ", count: indent) }
  private var indent: Int { depth * SwiftCode.indentation }

  mutating func line(_ code: SwiftCode) {
    text += margin + code.text(indent: indent, column: indent, tail: 0) + "\n"
  }

  mutating func line(_ head: String, _ value: SwiftCode) {
    line(.row([.text(head), value]))
  }

  /// Returns whether the code fits on a line.
  func fits(_ code: SwiftCode) -> Bool { indent + code.flat.count <= SwiftCode.lineLength }

  /// Appends the lines of another writer, which must have the same depth.
  mutating func append(_ other: SwiftWriter) { text += other.text }

  /// Appends an empty line, except at the start and after an empty line or an opening brace.
  mutating func gap() {
    guard !text.isEmpty, !text.hasSuffix("\n\n"), !text.hasSuffix("{\n") else { return }
    text += "\n"
  }

  /// Writes `head { … }`.
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

  /// Writes `head { expression }`, on one line if it fits. Like swift-format, it
  /// doesn't use the last column of a line.
  mutating func block(_ head: SwiftCode, returning expression: SwiftCode) {
    let flat = "\(head.flat) { \(expression.flat) }"
    if indent + flat.count < SwiftCode.lineLength {
      text += margin + flat + "\n"
    } else {
      block(head) { $0.line(expression) }
    }
  }

  /// Writes wrapped comment lines with `///` or another prefix.
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
