import Foundation

// Only this file requires Foundation, for canonical decomposition and ICU's regular expressions, which the standard
// library doesn't contain.

extension Unicode.Scalar {
  /// The canonical decomposition (NFD), or the scalar itself if it doesn't have one.
  var canonicalDecomposition: [Unicode.Scalar] {
    Array(String(self).decomposedStringWithCanonicalMapping.unicodeScalars)
  }
}

/// The pattern of a MATCHES: an ICU regular expression that must match the whole text.
struct WholeTextPattern: Sendable {
  private let expression: NSRegularExpression
  private let pattern: String

  /// The maximum number of progress reports while one text is searched. A report occurs every 10,000 steps, so the
  /// limit is about half a second, and the same on all machines. After about 3,300 reports, Foundation itself gives up
  /// and returns no match.
  private static let patience = 2_000

  /// Nil if `pattern` isn't a regular expression.
  init?(_ pattern: String, ignoresCase: Bool) {
    func compile(_ pattern: String) -> NSRegularExpression? {
      try? NSRegularExpression(pattern: pattern, options: ignoresCase ? .caseInsensitive : [])
    }
    // The pattern is compiled alone first, because `a)(b` would be valid inside the parentheses. Foundation rejects an
    // empty pattern, which is valid here. The line break ends a comment, which would otherwise contain the parenthesis
    // if `(?x)` allows comments.
    guard pattern.isEmpty || compile(pattern) != nil,
      let expression = compile("(?:\(pattern))\\z") ?? compile("(?:\(pattern)\n)\\z")
    else { return nil }
    self.expression = expression
    self.pattern = pattern
  }

  /// - Throws: `ExcessiveWork` if matching requires too many steps, or more memory than ICU allows.
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
