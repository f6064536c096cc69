import StorePredicate
import Testing

@testable import StoreSeeding

/// Texts for regular expressions.
struct PatternTextTests {
  @Test(arguments: [
    "[A-Z]{2}[0-9]{3,5}", "(red|green|blue)-\\d+", "^\\w{4,8}$", "x(ab|c)*y?", "[^a-z ]{3}",
    "\\+\\d{1,3} [\\d ]{6,9}", "(?:a|b)+?c", "[\\w.-]+@[\\w-]+\\.(com|org)", "\\p{Lu}\\p{Ll}+",
    "", "a||b", "[-+]?\\d", ".{3}",
  ]) func matchTheirPattern(_ pattern: String) throws {
    let texts = try #require(PatternText(pattern, length: 0...100))
    let matcher = try TextMatcher(.matches, pattern, options: [])
    for number in (0 as UInt64)..<200 {
      let text = texts.text(number &* 0x9E37_79B9_7F4A)
      #expect(try matcher.matches(text), "\(pattern): \(text)")
    }
  }

  @Test(arguments: [
    ("[A-C]{2}", ["AA", "AB", "AC", "BA", "BB", "BC", "CA", "CB", "CC"]),
    ("x(a|b)?", ["x", "xa", "xb"]), ("[0-9]", (0..<10).map(String.init)),
  ]) func areNumbered(_ pattern: String, _ expected: [String]) throws {
    let texts = try #require(PatternText(pattern, length: 0...100))
    #expect(texts.count == UInt64(expected.count))
    #expect((0..<texts.count).map(texts.text) == expected)
  }

  /// Unsupported patterns are reported instead of being matched wrongly.
  @Test(arguments: ["(?=a)b", "(a)\\1", "[[:alpha:]]", "a{2", "\\bword", "(?i)a", "[a&&b]"])
  func othersAreNone(_ pattern: String) {
    #expect(PatternText(pattern, length: 0...100) == nil)
  }
}
