import StorePredicate
import Testing

struct SubstitutionTests {
  @Test func variablesInOrderOfAppearance() throws {
    let predicate = try FormatPredicate(
      parsing: "b == $B AND $A.x IN $B AND SUBQUERY($C, $e, $e.k == $D).@count > 0 AND c == $e")
    #expect(predicate.variables == ["B", "A", "C", "D", "e"])
    #expect(predicate.firstUses.map(\.range.lowerBound) == [5, 12, 36, 52, 76])
  }

  @Test(arguments: [
    ("a == $X", "a == 7"), ("a == $x", "a == $x"), ("a IN {$X, $X}", "a IN {7, 7}"),
    ("$X.k == $Y", "(7).k == $Y"), ("a[$X] == f", "a[7] == f"),
    ("SUBQUERY($X, $X, $X.a == $X).@count == $X", "SUBQUERY(7, $X, $X.a == $X).@count == 7"),
    ("SUBQUERY(a, $e, $e.b == $X).@count == 1", "SUBQUERY(a, $e, $e.b == 7).@count == 1"),
    ("TERNARY(a == $X, -$X, $X + 1) == 0", "TERNARY(a == 7, -(7), 7 + 1) == 0"),
    (
      "NOT (a == '$X' OR b == CAST($X, 'NSNumber'))",
      "NOT (a == \"$X\" OR b == CAST(7, \"NSNumber\"))"
    ),
  ])
  func valuesTakeThePlaceOfVariables(text: String, expected: String) throws {
    let bound = try FormatPredicate(parsing: text).substituting(["X": .value(.integer(7))])
    #expect(bound.format == expected)
  }
}
