import Foundation

// Only this file requires full Foundation: the standard library has neither canonical decomposition nor ICU's regular
// expressions.

extension Unicode.Scalar {
  /// The canonical decomposition (NFD), which is often the scalar itself.
  var canonicalDecomposition: [Unicode.Scalar] {
    Array(String(self).decomposedStringWithCanonicalMapping.unicodeScalars)
  }
}

/// A pattern of MATCHES: an ICU regular expression that must match the whole text.
struct WholeTextPattern: Sendable {
  private let expression: NSRegularExpression
  private let pattern: String

  /// The maximum number of progress reports for one text, which Foundation sends every 10,000 steps. It is reached
  /// after about half a second, but unlike a time limit, it is the same on any machine. After 3,300 reports or more,
  /// Foundation would give up and report that the text doesn't match.
  private static let reportLimit = 2_000

  /// Fails if `pattern` isn't a regular expression.
  init?(_ pattern: String, ignoresCase: Bool) {
    func compile(_ pattern: String) -> NSRegularExpression? {
      try? NSRegularExpression(pattern: pattern, options: ignoresCase ? .caseInsensitive : [])
    }
    // The pattern is first compiled without parentheses, because `a)(b` would become valid inside of them. Foundation
    // rejects an empty pattern, which is valid in parentheses. If `(?x)` allows comments, the line break ends a comment
    // that would otherwise include the closing parenthesis.
    guard pattern.isEmpty || compile(pattern) != nil,
      let expression = compile("(?:\(pattern))\\z") ?? compile("(?:\(pattern)\n)\\z")
    else { return nil }
    self.expression = expression
    self.pattern = pattern
  }

  /// - Throws: `ExcessiveWork` if the match takes too many steps, or more memory for backtracking than ICU allows.
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
        guard reports > Self.reportLimit else { return }
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
