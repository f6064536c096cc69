/// One side of a text comparison, made ready to be held against many texts.
///
/// The engine's SQL functions make one per distinct pattern, and call it for every row with the bytes
/// that SQLite hands out: ASCII rows are compared in place.
package struct TextMatcher: Sendable {
  package enum Test: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
  }

  /// The pattern of a MATCHES is not a regular expression.
  package struct InvalidPattern: Error, Hashable {
    package var pattern: String
  }

  /// A text for which the pattern of a MATCHES has more ways to try than can be tried: `(a+)+b` doubles them
  /// with each letter.
  package struct ExcessiveWork: Error, Hashable {
    package var pattern: String

    package var message: String {
      "to match '\(pattern)' against this text takes too long or too much memory"
    }

    package static let help =
      "a repetition of a repetition, as in (a+)+, tries more ways than can be tried; write it as one: a+"
  }

  private enum Method: Sendable {
    case search(Test, [UInt8])
    case like(LikePattern)
    case expression(WholeTextPattern)
  }

  private let method: Method
  private let folding: TextFolding

  /// - Throws: for MATCHES alone, when `pattern` is not a regular expression.
  package init(
    _ test: Test, _ pattern: String, options: Comparison.Options
  ) throws(InvalidPattern) {
    switch test {
    case .equal, .contains, .beginsWith, .endsWith:
      folding = TextFolding(options)
      method = .search(test, folding.folded(pattern))
    case .like:
      folding = TextFolding(options)
      method = .like(LikePattern(pattern, folding: folding))
    case .matches:
      // Case is the expression's business: folding would turn `\S` into `\s`.
      folding = TextFolding(options.subtracting(.caseInsensitive))
      let ignoresCase = options.contains(.caseInsensitive) && !options.contains(.normalized)
      guard let expression = WholeTextPattern(folding.fold(pattern), ignoresCase: ignoresCase)
      else { throw InvalidPattern(pattern: pattern) }
      method = .expression(expression)
    }
  }

  /// - Throws: for MATCHES alone.
  package func matches(_ text: String) throws(ExcessiveWork) -> Bool {
    var text = text
    let answer = text.withUTF8 { bytes in
      Result { () throws(ExcessiveWork) in try matches(bytes) }
    }
    return try answer.get()
  }

  /// Whether UTF-8 `text` passes the test. An empty pattern is part of no text, only equal to another.
  ///
  /// - Throws: for MATCHES alone.
  package func matches(_ text: UnsafeBufferPointer<UInt8>) throws(ExcessiveWork) -> Bool {
    switch method {
    case .search(let test, let needle):
      needle.withUnsafeBufferPointer { needle in
        onFoldable(text) { search($0, test, needle, ignoringCase: $1) }
      }
    case .like(let pattern): onFoldable(text) { pattern.matches($0, ignoringCase: $1) }
    case .expression(let expression):
      try expression.matches(folding.fold(String(decoding: text, as: UTF8.self)))
    }
  }

  /// Hands on ASCII text as it is, with whether its case is still to be ignored; other text folded.
  private func onFoldable(
    _ text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>, Bool) -> Bool
  ) -> Bool {
    if folding.isIdentity || UTF8Text.isASCII(text) { return body(text, folding.foldsASCIICase) }
    return folding.withFolded(text) { body($0, false) }
  }

  private func search(
    _ text: UnsafeBufferPointer<UInt8>, _ test: Test, _ needle: UnsafeBufferPointer<UInt8>,
    ignoringCase: Bool
  ) -> Bool {
    func isNeedle(at start: Int) -> Bool {
      for index in 0..<needle.count
      where UTF8Text.fold(text[start + index], ignoringCase: ignoringCase) != needle[index] {
        return false
      }
      return true
    }
    if test == .equal { return text.count == needle.count && isNeedle(at: 0) }
    guard !needle.isEmpty, needle.count <= text.count else { return false }
    switch test {
    case .beginsWith: return isNeedle(at: 0)
    case .endsWith: return isNeedle(at: text.count - needle.count)
    default:
      // The needle is folded: its first letter is a small one.
      let first = needle[0]
      let isLetter = first &- UInt8(ascii: "a") < 26
      let capital = ignoringCase && isLetter ? first & ~0x20 : first
      for start in 0...(text.count - needle.count)
      where (text[start] == first || text[start] == capital) && isNeedle(at: start) {
        return true
      }
      return false
    }
  }
}

extension TextMatcher.Test {
  /// The test that a comparison operator asks for, nil for those that are none.
  package init?(_ comparison: Comparison.Operator) {
    switch comparison {
    case .equal, .contains, .beginsWith, .endsWith, .like, .matches: break
    case .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in: return nil
    }
    self.init(rawValue: comparison.rawValue)
  }
}

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
