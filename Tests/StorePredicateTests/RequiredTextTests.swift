import SeededRandom
import Testing

@testable import StorePredicate

struct RequiredTextTests {
  @Test(arguments: [
    ("", "", ""), ("abc", "abc", "abc"), ("abc.*", "abc", "abc"), (".*abc.*", "", "abc"),
    ("ab.*cde", "ab", "cde"), ("ab?c", "a", "a"), ("ab*", "a", "a"), ("ab+cd", "ab", "ab"),
    ("ab{0,2}cde", "a", "cde"), ("a\\.b", "a.b", "a.b"), ("a\\dbc", "a", "bc"),
    ("a\\x41bc", "a", "a"), ("ab(c)def", "ab", "ab"), ("ab[c]def", "ab", "ab"), ("ab|cd", "", ""),
    ("(?i)ab", "", ""), ("\\Qa.b\\E", "", ""), ("aé*bcd", "a", "bcd"), ("Ab", "Ab", "Ab"),
    ("e\u{301}*x", "e", "e"), ("(?x)a b", "", ""), ("a+?bc", "a", "bc"), ("\\", "", ""),
  ])
  func isInEachMatch(pattern: String, prefix: String, part: String) {
    let required = RequiredText(pattern, ignoresCase: false)
    #expect(String(decoding: required.prefix, as: UTF8.self) == prefix)
    #expect(String(decoding: required.part, as: UTF8.self) == part)
  }

  @Test func containsLowercaseLettersIfCaseIsIgnored() {
    #expect(RequiredText("AbC.*", ignoresCase: true).part == Array("abc".utf8))
  }

  /// The result equals the result of the regular expression alone.
  @Test(arguments: 0..<20) func rejectsNoMatch(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "a", "b", "K", "ss", "s", "é", ".", ".*", "\\d", "\\.", "x?", "x*", "x+", "x{0,2}", "(a|b)",
      "[ab]", "(?i)", "^", "$", "b?", "\\x41", "|", "\\s*", "ſ",
    ]
    let letters = [
      "a", "b", "A", "k", "K", "K", "s", "S", "ß", "ſ", "é", "e\u{301}", ".", "x", "1", "\n",
    ]
    func joined(_ list: [String], _ count: Int) -> String {
      (0..<count).map { _ in list.randomElement(using: &generator) ?? "" }.joined()
    }
    for _ in 0..<200 {
      let pattern = joined(pieces, Int.random(in: 0...5, using: &generator))
      for options in [[], .caseInsensitive] as [FormatComparison.Options] {
        guard let matcher = try? TextMatcher(.matches, pattern, options: options) else { continue }
        let ignoresCase = options == .caseInsensitive
        let expression = try #require(WholeTextPattern(pattern, ignoresCase: ignoresCase))
        for _ in 0..<20 {
          let text = joined(letters, Int.random(in: 0...5, using: &generator))
          #expect(
            try matcher.matches(text) == expression.matches(text),
            "\(pattern) and \(text), seed \(seed)")
        }
      }
    }
  }
}
