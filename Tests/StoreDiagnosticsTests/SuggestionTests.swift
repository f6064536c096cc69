import StoreDiagnostics
import Testing

struct SuggestionTests {
  @Test func theNearestName() {
    #expect(Suggestion.nearest(to: "nmae", among: ["age", "name", "names"]) == "name")
    #expect(Suggestion.nearest(to: "xyz", among: ["age", "name"]) == nil)
  }

  /// The distance of two long names takes the product of their lengths.
  @Test func longNamesHaveNone() {
    let long = String(repeating: "a", count: 100_000)
    #expect(Suggestion.nearest(to: long + "b", among: [long, long + "bc"]) == nil)
    #expect(Suggestion.nearest(to: "nmae", among: [long, "name"]) == "name")
  }
}
