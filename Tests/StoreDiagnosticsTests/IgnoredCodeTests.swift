import StoreDiagnostics
import Testing

struct IgnoredCodeTests {
  @Test(arguments: [
    ("migrate.missing-value", "migrate.missing-value", nil),
    ("lock.edited:Todo--Todo 2", "lock.edited", "Todo--Todo 2"),
    // The text after the first colon is a pair.
    ("a.b:c:d--e", "a.b", "c:d--e"),
  ]) func isACodeAndPerhapsAPair(_ text: String, _ code: String, _ pair: String?) throws {
    let ignored = try #require(IgnoredCode(text))
    #expect(ignored.code == code && ignored.pair?.text == pair && ignored.text == text)
  }

  @Test(arguments: [
    "", ":", "a", "A.b", "a b", "a..b", "a:", "a:Todo", "a:--Todo", "a:Todo--", "a.b:--",
  ])
  func elseIsNone(_ text: String) {
    #expect(IgnoredCode(text) == nil)
  }

  @Test func coversItsPairAlone() throws {
    let (all, one) = (try #require(IgnoredCode("a.b")), try #require(IgnoredCode("a.b:1--2")))
    let pair = VersionPair(from: "1", to: "2")
    #expect(all.covers("a.b") && all.covers("a.b", pair) && !all.covers("a.c"))
    #expect(
      one.covers("a.b", pair) && !one.covers("a.b") && !one.covers("a.b", .init(from: "2", to: "1"))
    )
  }
}
