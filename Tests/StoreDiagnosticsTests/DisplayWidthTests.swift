import StoreDiagnostics
import Testing

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("plain", 5), ("Größe", 5), ("Ωμέγα", 5), ("Привет", 6), ("漢字", 4), ("ひらカナ", 8),
    ("한글", 4), ("e\u{301}", 1), ("\u{304B}\u{3099}", 2), ("й", 1), ("👍🏽", 2),
    ("👩‍👧", 2), ("🇨🇭", 2), ("❤\u{FE0F}", 2), ("\u{1B}", 0), ("a\u{AD}b", 2),
    ("각\u{11A8}", 2), ("1\u{FE0F}\u{20E3}", 2),
  ])
  func ofText(_ text: String, _ width: Int) {
    #expect(DisplayWidth.of(text) == width)
  }

  /// Text is measured by scalar if no scalar combines with another one. The result is the same as by character.
  @Test func equalsSumOfCharacters() {
    let scalars: [Unicode.Scalar] = [
      "a", " ", "~", "é", "ʯ", "Ω", "҂", "я", "か", "ヺ", "漢", "鿿", "가", "각", "\u{301}",
      "\u{483}", "\u{3099}", "\u{11A8}", "\u{1100}", "\u{1161}", "\u{200D}", "\u{FE0F}", "👍",
      "\u{1F3FD}", "🇨", "\r", "\n", "\u{600}",
    ]
    var different: [[Unicode.Scalar]] = []
    for first in scalars {
      for second in scalars {
        for third in scalars {
          let text = String(String.UnicodeScalarView([first, second, third]))
          let sum = text.reduce(0) { $0 + DisplayWidth.of($1) }
          if DisplayWidth.of(text) != sum { different.append([first, second, third]) }
        }
      }
    }
    #expect(different.isEmpty)
  }
}
