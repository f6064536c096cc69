import Foundation

// The only file that needs full Foundation: canonical decomposition and ICU's regular expressions,
// which the standard library does not offer.

extension Unicode.Scalar {
  /// The canonical decomposition (NFD); the scalar itself where it has none.
  var canonicalDecomposition: [Unicode.Scalar] {
    Array(String(self).decomposedStringWithCanonicalMapping.unicodeScalars)
  }
}

/// A pattern of MATCHES: an ICU regular expression that must match the whole text.
struct WholeTextPattern: Sendable {
  private let expression: NSRegularExpression
  private let pattern: String

  /// How often the search of one text may report that it goes on, which it does every 10,000 steps: half a second of
  /// work, and yet the same limit on any machine. After 3,300 reports or more, Foundation itself gives up, and calls
  /// that no match.
  private static let patience = 2_000

  /// Nil when `pattern` is not a regular expression.
  init?(_ pattern: String, ignoresCase: Bool) {
    func compile(_ pattern: String) -> NSRegularExpression? {
      try? NSRegularExpression(pattern: pattern, options: ignoresCase ? .caseInsensitive : [])
    }
    // Alone first: `a)(b` would become valid inside the parentheses. Foundation refuses an empty
    // pattern, which is valid there. The line break ends a comment,
    // which swallows the parenthesis where `(?x)` allows comments.
    guard pattern.isEmpty || compile(pattern) != nil,
      let expression = compile("(?:\(pattern))\\z") ?? compile("(?:\(pattern)\n)\\z")
    else { return nil }
    self.expression = expression
    self.pattern = pattern
  }

  /// - Throws: when the answer takes too many steps, or more memory for ways to come back to than ICU has.
  func matches(_ text: String) throws(TextMatcher.ExcessiveWork) -> Bool {
    let range = NSRange(location: 0, length: text.utf16.count)
    var isMatch = false
    var isExcessive = false
    var reports = 0
    expression.enumerateMatches(
      in: text, options: [.anchored, .reportProgress, .reportCompletion], range: range
    ) { match, flags, stop in
      if match != nil {
        isMatch = true
        stop.pointee = true
      } else if flags.contains(.progress) {
        reports += 1
        guard reports > Self.patience else { return }
        isExcessive = true
        stop.pointee = true
      } else if flags.contains(.internalError) {
        isExcessive = true
      }
    }
    if isExcessive { throw TextMatcher.ExcessiveWork(pattern: pattern) }
    return isMatch
  }
}
