import Foundation
import SeededRandom
import Testing

@testable import StorePredicate

struct TextMatcherTests {
  private func test(
    _ text: String, _ test: TextMatcher.Test, _ options: FormatComparison.Options, _ pattern: String
  ) throws -> Bool {
    try TextMatcher(test, pattern, options: options).matches(text)
  }

  @Test(
    arguments: [
      ("name", .contains, [], "am", true), ("name", .contains, [], "AM", false),
      ("name", .contains, .caseInsensitive, "AM", true), ("name", .contains, [], "", false),
      ("", .contains, [], "", false), ("", .equal, [], "", true), ("a", .equal, [], "", false),
      ("name", .beginsWith, .caseInsensitive, "NA", true), ("name", .beginsWith, [], "am", false),
      ("name", .beginsWith, [], "", false), ("name", .endsWith, [], "me", true),
      ("name", .endsWith, [], "name!", false), ("aab", .contains, [], "ab", true),
      ("Straße", .equal, .caseInsensitive, "STRASSE", true),
      ("ΣΑΣ", .equal, .caseInsensitive, "σας", true),
      ("ı", .equal, .caseInsensitive, "I", false),
      ("ﬁn", .beginsWith, .caseInsensitive, "FI", true),
      ("Jõao", .equal, .diacriticInsensitive, "Joao", true),
      ("Joao", .equal, .diacriticInsensitive, "jõao", false),
      ("Jo\u{303}ao", .equal, [.caseInsensitive, .diacriticInsensitive], "JÕAO", true),
      ("ộ", .equal, .diacriticInsensitive, "o", true),
      ("й", .equal, .diacriticInsensitive, "и", true),
      ("か", .equal, .diacriticInsensitive, "が", false),
      ("名前", .contains, .caseInsensitive, "前", true),
      ("é", .equal, [.normalized, .diacriticInsensitive], "e", false),
      ("A", .equal, [.normalized, .caseInsensitive], "a", false),
      ("😀x", .endsWith, .caseInsensitive, "X", true),
    ] as [(String, TextMatcher.Test, FormatComparison.Options, String, Bool)])
  func searches(
    text: String, operation: TextMatcher.Test, options: FormatComparison.Options, pattern: String,
    expected: Bool
  ) throws {
    #expect(try test(text, operation, options, pattern) == expected)
  }

  @Test(arguments: [
    ("", "", true), ("a", "", false), ("", "*", true), ("abc", "*", true), ("abc", "a*c", true),
    ("abc", "a?c", true), ("abc", "?", false), ("é", "?", true), ("😀", "?", true),
    ("名前", "名?", true),
    ("abc", "*c*", true), ("abc", "a*b", false), ("a*c", "a\\*c", true), ("abc", "a\\*c", false),
    ("a?", "a\\?", true), ("a\\", "a\\\\", true), ("a\\", "a\\", true), ("100%", "100%", true),
    ("1000", "100%", false),
    ("a_c", "a_c", true), ("abc", "a_c", false), ("mississippi", "m*iss*ip*i", true),
    ("mississippi", "m*iss*ss*is*", false), ("aXbXc", "a*X?", true),
    ("line\nbreak", "line*break", true),
  ])
  func like(text: String, pattern: String, expected: Bool) throws {
    #expect(try test(text, .like, [], pattern) == expected)
  }

  @Test func likeIgnoresCaseAndDiacritics() throws {
    #expect(try test("GARÇON", .like, [.caseInsensitive, .diacriticInsensitive], "gar?on"))
    #expect(try test("Straße", .like, .caseInsensitive, "STRAS*"))
  }

  @Test func likeDoesNotExplode() throws {
    let text = String(repeating: "a", count: 5_000)
    #expect(try !test(text, .like, [], String(repeating: "a*", count: 500) + "b"))
  }

  @Test(arguments: [
    ("abc", "a.c", true), ("abcd", "a.c", false), ("ab", "a|ab", true), ("xab", "ab", false),
    ("12", "\\d+", true), ("", "", true), ("a", "(?x) a # comment", true), ("ab\n", "ab", false),
    ("名前", "\\p{Han}+", true), ("😀", ".", true),
  ])
  func regularExpressions(text: String, pattern: String, expected: Bool) throws {
    #expect(try test(text, .matches, [], pattern) == expected)
  }

  @Test func regularExpressionsTakeOptions() throws {
    #expect(try test("ABC", .matches, .caseInsensitive, "a\\S+"))
    #expect(try test("café", .matches, .diacriticInsensitive, "cafe"))
    #expect(try !test("ABC", .matches, [.caseInsensitive, .normalized], "abc"))
  }

  /// With the first pattern, each letter doubles the number of attempts. With the second one, a million letters exceed
  /// ICU's limit for backtracking.
  @Test(
    arguments: [
      ("(a+)+$", String(repeating: "a", count: 40) + "!"),
      ("(?:a|b)*", String(repeating: "a", count: 1_000_000)),
    ])
  func regularExpressionsDoNotExplode(pattern: String, text: String) throws {
    #expect(throws: TextMatcher.ExcessiveWork(pattern: pattern)) {
      try test(text, .matches, [], pattern)
    }
  }

  @Test func workThatCanBeDoneIsDone() throws {
    #expect(try test(String(repeating: "a", count: 20), .matches, [], "(a+)+$"))
    #expect(try !test(String(repeating: "a", count: 20) + "!", .matches, [], "(a+)+$"))
    #expect(try test(String(repeating: "a", count: 100_000), .matches, [], "(?:a|b)*"))
  }

  @Test(arguments: ["(", "a)(b", "[", "*"])
  func brokenExpressions(pattern: String) {
    #expect(throws: TextMatcher.InvalidPattern(pattern: pattern)) {
      try TextMatcher(.matches, pattern, options: [])
    }
  }

  /// SQLite returns any bytes that are in the file.
  @Test func brokenUTF8DoesNotMatter() throws {
    var random = SeededGenerator(seed: 1)
    for test in TextMatcher.Test.allCases {
      let matcher = try TextMatcher(
        test, "é*a?", options: [.caseInsensitive, .diacriticInsensitive])
      for _ in 0..<500 {
        let bytes = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
          UInt8.random(in: 0x60...0xFF, using: &random)
        }
        _ = try bytes.withUnsafeBufferPointer { try matcher.matches($0) }
      }
    }
  }

  /// Folding agrees with Foundation's comparison for every letter and its folded form.
  @Test(arguments: [
    (FormatComparison.Options.caseInsensitive, String.CompareOptions.caseInsensitive),
    (.diacriticInsensitive, .diacriticInsensitive),
  ])
  func foldingAgreesWithFoundation(options: FormatComparison.Options, theirs: String.CompareOptions)
  {
    let folding = TextFolding(options)
    var disagreements: [String] = []
    for value in UInt32(0x20)..<0x530 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // U+0345, the iota below: Foundation removes it, and Unicode folds it to an iota.
      guard value != 0x345 else { continue }
      let text = "x\(scalar)"
      let folded = folding.fold(text)
      if text.compare(folded, options: theirs) != .orderedSame {
        disagreements.append("\(String(value, radix: 16)): \(text) \(folded)")
      }
    }
    #expect(disagreements == [])
  }
}

/// The guarantees of folding for every scalar.
struct FoldingGrowthTests {
  @Test(
    arguments: [
      .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ] as [FormatComparison.Options])
  func noScalarGrowsBeyondTheRoomForIt(options: FormatComparison.Options) {
    let folding = TextFolding(options)
    for value in UInt32(0x80)..<0x2_0000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let folded = folding.folded(String(scalar)).count
      #expect(
        folded <= String(scalar).utf8.count * FoldingTable.growth, "U+\(String(value, radix: 16))")
    }
    #expect(
      folding.folded(String(decoding: [0x61, 0xFF, 0xC3], as: UTF8.self))
        == Array("a\u{FFFD}\u{FFFD}".utf8))
  }
}
