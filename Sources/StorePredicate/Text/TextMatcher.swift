/// A compiled pattern of a text comparison, which is matched against many texts.
///
/// The SQL functions for text comparisons create a matcher for each distinct pattern, and call it for each row with the
/// bytes from SQLite. Except for MATCHES, ASCII text is compared without creating a folded copy.
package struct TextMatcher: Sendable {
  package enum Test: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
  }

  /// A pattern of MATCHES that isn't a regular expression.
  package struct InvalidPattern: Error, Hashable {
    package var pattern: String
  }

  /// The error if matching a text against a pattern of MATCHES takes too many steps or too much memory. For `(a+)+b`,
  /// the number of steps doubles with each letter of the text.
  package struct ExcessiveWork: Error, Hashable {
    package var pattern: String

    package var message: String {
      "matching the pattern '\(pattern)' against a value takes too long or too much memory"
    }

    package static let help =
      "replace nested repetitions, such as (a+)+, with a single one: a+"
  }

  private enum Method: Sendable {
    case search(Test, [UInt8])
    case like(LikePattern)
    case expression(WholeTextPattern, RequiredText)
  }

  private let method: Method
  private let folding: TextFolding

  /// Compiles a pattern.
  ///
  /// - Throws: `InvalidPattern` if the test is MATCHES and `pattern` isn't a regular expression.
  package init(
    _ test: Test, _ pattern: String, options: FormatComparison.Options
  ) throws(InvalidPattern) {
    switch test {
    case .equal, .contains, .beginsWith, .endsWith:
      folding = TextFolding(options)
      method = .search(test, folding.folded(pattern))
    case .like:
      folding = TextFolding(options)
      method = .like(LikePattern(pattern, folding: folding))
    case .matches:
      // The regular expression ignores case. Folding can't do this, because it would turn `\S` into `\s`.
      folding = TextFolding(options.subtracting(.caseInsensitive))
      let ignoresCase = options.contains(.caseInsensitive) && !options.contains(.normalized)
      let folded = folding.fold(pattern)
      guard let expression = WholeTextPattern(folded, ignoresCase: ignoresCase)
      else { throw InvalidPattern(pattern: pattern) }
      method = .expression(expression, RequiredText(folded, ignoresCase: ignoresCase))
    }
  }

  /// Returns whether text matches the pattern.
  ///
  /// - Throws: `ExcessiveWork` if MATCHES takes too many steps or too much memory.
  package func matches(_ text: String) throws(ExcessiveWork) -> Bool {
    var text = text
    let answer = text.withUTF8 { bytes in
      Result { () throws(ExcessiveWork) in try matches(bytes) }
    }
    return try answer.get()
  }

  /// Returns whether UTF-8 `text` matches the pattern. No text contains, begins with or ends with an empty pattern, and
  /// only an empty text is equal to it.
  ///
  /// - Throws: `ExcessiveWork` if MATCHES takes too many steps or too much memory.
  package func matches(_ text: UnsafeBufferPointer<UInt8>) throws(ExcessiveWork) -> Bool {
    switch method {
    case .search(let test, let needle):
      needle.withUnsafeBufferPointer { needle in
        onFoldable(text) { search($0, test, needle, ignoringCase: $1) }
      }
    case .like(let pattern): onFoldable(text) { pattern.matches($0, ignoringCase: $1) }
    case .expression(let expression, let required):
      if contains(required, text) {
        try expression.matches(folding.fold(String(decoding: text, as: UTF8.self)))
      } else {
        false
      }
    }
  }

  /// Returns whether the text can match an expression. Text beyond ASCII is only searched if neither the text nor its
  /// letters are folded: `ſ` also matches `s`, and `ß` matches `ss`.
  private func contains(_ required: RequiredText, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let ignoresCase = required.ignoresCase
    guard !required.part.isEmpty, folding.isIdentity && !ignoresCase || UTF8Text.isASCII(text)
    else { return true }
    func finds(_ test: Test, _ needle: [UInt8]) -> Bool {
      needle.withUnsafeBufferPointer { search(text, test, $0, ignoringCase: ignoresCase) }
    }
    guard required.prefix.isEmpty || finds(.beginsWith, required.prefix) else { return false }
    return required.prefix == required.part || finds(.contains, required.part)
  }

  /// Calls `body` with the text and whether to ignore ASCII case. If the text isn't ASCII, `body` receives its folded
  /// form and false.
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
      // The needle is folded, so its first letter is lowercase.
      let first = needle[0]
      let isLetter = first &- UInt8(ascii: "a") < 26
      let capital = ignoringCase && isLetter ? first & ~0x20 : first
      // Closures would take five times as long in a debug build, which the tests use.
      for start in 0...(text.count - needle.count)
      where (text[start] == first || text[start] == capital) && isNeedle(at: start) {
        return true
      }
      return false
    }
  }
}

extension TextMatcher.Test {
  /// Creates the test of a comparison operator. Fails for operators that order values, and for `!=`, BETWEEN and IN.
  package init?(_ comparison: FormatComparison.Operator) {
    switch comparison {
    case .equal, .contains, .beginsWith, .endsWith, .like, .matches: break
    case .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in: return nil
    }
    self.init(rawValue: comparison.rawValue)
  }
}

/// A pattern of LIKE as folded bytes. `*` matches any number of characters, `?` matches one character, and a backslash
/// escapes the next character.
struct LikePattern: Hashable, Sendable {
  /// A byte, or one of the wildcards below. It is a number, because comparing numbers is fast.
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
    // A backslash at the end is literal.
    if isEscaped { literal.append("\\") }
    flush()
    self.elements = elements
  }

  /// Returns whether the whole text matches. Each `*` first matches an empty run. After a mismatch, only the last `*`
  /// so far matches one more character, so the number of steps is at most the product of both lengths.
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
