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

  /// The pattern of a MATCHES is no regular expression.
  package struct InvalidPattern: Error, Hashable {
    package var pattern: String
  }

  private enum Method: Sendable {
    case search(Test, [UInt8])
    case like(LikePattern)
    case expression(WholeTextPattern)
  }

  private let method: Method
  private let folding: TextFolding

  /// - Throws: for MATCHES alone, when `pattern` is no regular expression.
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

  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches($0) }
  }

  /// Whether UTF-8 `text` passes the test. An empty pattern is part of no text, only equal to another.
  package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    switch method {
    case .search(let test, let needle):
      needle.withUnsafeBufferPointer { needle in
        if UTF8Text.isASCII(text) {
          search(text, test, needle) { folding.ascii($0) }
        } else {
          withFolded(text) { search($0, test, needle) { $0 } }
        }
      }
    case .like(let pattern): withFolded(text) { pattern.matches($0) }
    case .expression(let expression):
      withFolded(text) { expression.matches(String(decoding: $0, as: UTF8.self)) }
    }
  }

  private func withFolded(
    _ text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool {
    folding.isIdentity ? body(text) : folding.folded(text).withUnsafeBufferPointer(body)
  }

  @inline(__always)
  private func search(
    _ text: UnsafeBufferPointer<UInt8>, _ test: Test, _ needle: UnsafeBufferPointer<UInt8>,
    fold: (UInt8) -> UInt8
  ) -> Bool {
    func isNeedle(at start: Int) -> Bool {
      for index in 0..<needle.count where fold(text[start + index]) != needle[index] {
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
      for start in 0...(text.count - needle.count)
      where fold(text[start]) == needle[0] && isNeedle(at: start) {
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
