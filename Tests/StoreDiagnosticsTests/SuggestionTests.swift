import StoreDiagnostics
import Testing

struct SuggestionTests {
  @Test func theNearestName() {
    #expect(Suggestion.nearest(to: "nmae", among: ["age", "name", "names"]) == "name")
    #expect(Suggestion.nearest(to: "xyz", among: ["age", "name"]) == nil)
  }

  /// The time for the distance of two names is proportional to the product of their lengths.
  @Test func longNamesHaveNone() {
    let long = String(repeating: "a", count: 100_000)
    #expect(Suggestion.nearest(to: long + "b", among: [long, long + "bc"]) == nil)
    #expect(Suggestion.nearest(to: "nmae", among: [long, "name"]) == "name")
  }

  /// Differences in case have no cost. Swapping two neighbors costs as much as one letter. For short names, fewer
  /// differences are allowed.
  @Test(
    arguments: [
      ("NAME", "name"), ("naem", "name"), ("nam", "name"), ("names", "name"), ("mane", "name"),
      ("xy", nil), ("name", nil), ("", nil),
    ] as [(String, String?)])
  func distance(_ typed: String, nearest: String?) {
    #expect(Suggestion.nearest(to: typed, among: ["name"]) == nearest)
  }

  @Test func aDiagnosticOffersTheNearestOrAll() {
    func help(_ typed: String, _ names: [String]) -> [String] {
      DiagnosticMessage(.error, "test", "unknown").didYouMean(
        typed, among: names, elseListing: "known"
      )
      .help.map(\.description)
    }
    #expect(help("nmae", ["age", "name"]) == ["did you mean 'name'?"])
    #expect(help("xyz", ["age", "name"]) == ["known: 'age', 'name'"])
    #expect(help("xyz", []).isEmpty)
    #expect(help("xyz", (0..<13).map { "name\($0)" }).isEmpty)
  }
}
