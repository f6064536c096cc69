/// A pattern of LIKE over folded bytes: `*` is any run, `?` any character, a backslash takes the
/// meaning from the next.
struct LikePattern: Hashable, Sendable {
  /// A byte, or one of the two wildcards. A number, because one comparison is all that most rows get.
  private typealias Element = UInt16
  private static let anyCharacter: Element = 0x100
  private static let anyRun: Element = 0x101

  private let elements: [Element]

  init(_ pattern: String, folding: TextFolding) {
    var elements: [Element] = []
    var literal = ""
    var isEscaped = false
    func flush() {
      elements += folding.folded(literal).map(Element.init)
      literal = ""
    }
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "*" where !isEscaped:
        flush()
        if elements.last != Self.anyRun { elements.append(Self.anyRun) }
      case "?" where !isEscaped:
        flush()
        elements.append(Self.anyCharacter)
      default: literal.unicodeScalars.append(scalar)
      }
      isEscaped = false
    }
    // A backslash at the end stands for itself.
    if isEscaped { literal.append("\\") }
    flush()
    self.elements = elements
  }

  /// Greedy from the left. Only the last run seen can need to grow, so the work is at most the product
  /// of the two lengths.
  func matches(_ text: UnsafeBufferPointer<UInt8>, ignoringCase: Bool) -> Bool {
    elements.withUnsafeBufferPointer { elements in
      var element = 0
      var position = 0
      var run: (element: Int, position: Int)?
      while true {
        if element == elements.count {
          if position == text.count { return true }
        } else if elements[element] == Self.anyRun {
          element += 1
          run = (element, position)
          continue
        } else if position < text.count {
          if elements[element] == Self.anyCharacter {
            element += 1
            position += UTF8Text.scalar(of: text, at: position).width
            continue
          }
          let byte = UTF8Text.fold(text[position], ignoringCase: ignoringCase)
          if elements[element] == Element(byte) {
            element += 1
            position += 1
            continue
          }
        }
        guard let last = run, last.position < text.count else { return false }
        let grown = last.position + UTF8Text.scalar(of: text, at: last.position).width
        run = (last.element, grown)
        element = last.element
        position = grown
      }
    }
  }
}
