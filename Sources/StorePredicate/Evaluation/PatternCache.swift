/// Text patterns that are ready to be held against the texts of many objects.
struct PatternCache: Sendable {
  private struct Key: Hashable {
    var test: TextMatcher.Test
    /// As bytes: to a String a letter with its mark is equal to the two composed.
    var pattern: [UInt8]
    var options: Comparison.Options
  }

  private var matchers: [Key: TextMatcher] = [:]

  /// A pattern may come from the object and be another one each time: then nothing is worth keeping.
  private static let capacity = 64

  mutating func matcher(
    _ test: TextMatcher.Test, _ pattern: String, options: Comparison.Options
  ) throws(TextMatcher.InvalidPattern) -> TextMatcher {
    let key = Key(test: test, pattern: Array(pattern.utf8), options: options)
    if let known = matchers[key] { return known }
    let matcher = try TextMatcher(test, pattern, options: options)
    if matchers.count >= Self.capacity { matchers.removeAll(keepingCapacity: true) }
    matchers[key] = matcher
    return matcher
  }
}
