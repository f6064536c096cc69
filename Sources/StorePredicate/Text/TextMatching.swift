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

  /// Nil when `pattern` is no regular expression.
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
  }

  func matches(_ text: String) -> Bool {
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, options: .anchored, range: range) != nil
  }
}
