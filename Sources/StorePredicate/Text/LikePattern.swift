/// A pattern of LIKE over folded bytes: `*` is any run, `?` any character, a backslash takes the
/// meaning from the next.
struct LikePattern: Hashable, Sendable {
  private enum Element: Hashable, Sendable {
    case byte(UInt8)
    case anyCharacter
    case anyRun
  }

  private let elements: [Element]

  init(_ pattern: String, folding: TextFolding) {
    var elements: [Element] = []
    var literal = ""
    var isEscaped = false
    func flush() {
      elements += folding.folded(literal).map(Element.byte)
      literal = ""
    }
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "*" where !isEscaped:
        flush()
        if elements.last != .anyRun { elements.append(.anyRun) }
      case "?" where !isEscaped:
        flush()
        elements.append(.anyCharacter)
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
  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var element = 0
    var position = 0
    var run: (element: Int, position: Int)?
    while true {
      if element == elements.count {
        if position == text.count { return true }
      } else if elements[element] == .anyRun {
        element += 1
        run = (element, position)
        continue
      } else if let next = step(over: elements[element], in: text, at: position) {
        element += 1
        position = next
        continue
      }
      guard let last = run, last.position < text.count else { return false }
      let grown = last.position + UTF8Text.scalar(of: text, at: last.position).width
      run = (last.element, grown)
      element = last.element
      position = grown
    }
  }

  /// The position behind what `element` takes.
  private func step(
    over element: Element, in text: UnsafeBufferPointer<UInt8>, at position: Int
  ) -> Int? {
    guard position < text.count else { return nil }
    switch element {
    case .byte(let byte): return text[position] == byte ? position + 1 : nil
    case .anyCharacter: return position + UTF8Text.scalar(of: text, at: position).width
    case .anyRun: return position
    }
  }
}
