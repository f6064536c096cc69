import StorePredicate
import Testing

@testable import StoreMigration

struct MatchPredicateTests {
  @Test(arguments: [
    ("name == $source.city", ["name"]),
    ("$source.city == name AND country == 'FR' AND size > 3", ["name", "country"]),
    ("name ==[c] $source.city", []),
    ("name != $source.city", []),
    ("name == $source.city OR country == $source.country", []),
    ("NOT name == $source.city", []),
    ("region.name == $source.city", []),
    ("ANY visits == $source.city", []),
  ])
  func onlyWhatMustBeEqualIsIndexed(text: String, attributes: [String]) throws {
    #expect(MatchPredicate(try FormatPredicate(parsing: text)).equatedAttributes == attributes)
  }

  @Test func whatIsReadTwiceIsKeptOnce() throws {
    let match = MatchPredicate(
      try FormatPredicate(
        parsing: "name == $source.city OR nick == $source.city OR zip == $source.zip"))
    #expect(match.readings.map(\.variable) == ["v0", "v1"])
    #expect(match.predicate.description == "name == $v0 OR nick == $v0 OR zip == $v1")
  }
}
