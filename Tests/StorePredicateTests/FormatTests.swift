import StorePredicate
import Testing

struct FormatTests {
  /// Texts with their printed forms. Nil if the text is already canonical.
  @Test(
    arguments: [
      ("a = 1", "a == 1"), ("a == 20 OR (b ==[c] \"n\" AND c IN {1, 2})", nil),
      ("a==1||b<>2 and not(c=>3)", "a == 1 OR (b != 2 AND NOT c >= 3)"),
      ("NOT name == nil", nil), ("not (a == 1 and b == 2)", "NOT (a == 1 AND b == 2)"),
      (
        "(X = 10 AND Y = 30) AND (Z = 20 OR K = 40)",
        "(X == 10 AND Y == 30) AND (Z == 20 OR K == 40)"
      ),
      ("NONE a.b = 1", "NOT ANY a.b == 1"), ("some a.b == 'x'", "ANY a.b == \"x\""),
      ("SUBQUERY(tags, $e, $e.name == \"Swift\").@count == 0", nil),
      ("lowercase(firstName) == 'ray'", "lowercase:(firstName) == \"ray\""),
      ("age between { 13 ,19}", "age BETWEEN {13, 19}"),
      ("name contains [DC] 'a'", "name CONTAINS[cd] \"a\""),
      ("x == CAST(5, 'NSDate')", "x == CAST(5.0, \"NSDate\")"), ("a == TRUE", "a == YES"),
      ("(a + b) * c - (d - e) == 2", nil), ("((a * b)) + c == 2", "a * b + c == 2"),
      ("-(a + b) == -1", nil), ("SELF.a.#size == 1", "a.#size == 1"), ("@count == 0", nil),
      ("truepredicate", "TRUEPREDICATE"), ("TERNARY(a == 1, b, c)[FIRST] == $x.y", nil),
      ("FUNCTION(self, 'f:', 1) == 1", "FUNCTION(SELF, \"f:\", 1) == 1"), ("(a.b).c == 1", nil),
      ("a.UTI-EQUALS == 1", "a.UTI\\u002DEQUALS == 1"),
      ("a == \"q\\\"b\\\\\\n\"", nil), ("\\u0024x == 1", nil),
    ] as [(String, String?)])
  func canonicalText(text: String, printed: String?) throws {
    #expect(try FormatPredicate(parsing: text).format == printed ?? text)
  }

  @Test(arguments: Array(UInt64(1)...10))
  func randomTreesReadBack(seed: UInt64) throws {
    var trees = RandomPredicate(seed: seed)
    for _ in 0..<10_000 {
      let tree = trees.predicate(depth: 3)
      let text = tree.format
      let back = try? FormatPredicate(parsing: text)
      try #require(back == tree, "seed \(seed): \(text)\nread as \(back?.format ?? "an error")")
    }
  }
}
