import Testing

@testable import StoreDiagnostics

struct ExactTextTests {
  private let composed = "caf\u{E9}"
  private let decomposed = "cafe\u{301}"

  @Test func swiftTakesBothSpellingsForOneText() {
    #expect(composed == decomposed)
  }

  @Test func bytesTellSpellingsApart() {
    #expect(!composed.isExactly(decomposed))
    #expect(composed.isExactly("caf\u{E9}"))
    #expect(ExactText(composed) != ExactText(decomposed))
    #expect([composed, decomposed, composed].exact.count == 2)
    #expect(![composed].containsExactly(decomposed))
    #expect(![composed, "b"].isExactly([decomposed, "b"]))
  }

  @Test func nilIsExactlyNilOnly() {
    let (nothing, empty): (String?, String?) = (nil, "")
    #expect(nothing.isExactly(nil))
    #expect(!nothing.isExactly(empty))
    #expect(!empty.isExactly(nothing))
  }

  @Test func dictionaryKeepsSpellingsApart() {
    var rows: ExactDictionary = [composed: 1, decomposed: 2]
    #expect(rows.count == 2)
    #expect(rows[composed] == 1)
    #expect(rows[decomposed] == 2)
    rows[composed, default: 0] += 10
    rows[decomposed] = nil
    #expect(rows[composed] == 11)
    #expect(rows[decomposed] == nil)
    #expect(rows != [decomposed: 11])
  }

  @Test func twinsNameTheCodePointsThatDiffer() {
    #expect(["a", composed, "b", composed].firstTwin == nil)
    let twins = ["a", composed, decomposed].firstTwin
    #expect(twins == NameTwins(first: composed, second: decomposed))
    #expect(twins?.difference == "'\u{E9}' is U+00E9 in one and U+0065 U+0301 in the other")
  }
}
