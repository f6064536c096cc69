import StoreDiagnostics
import Testing

/// Text of a store or a model can't control the terminal.
struct ControlCharacterTests {
  @Test(arguments: [
    ("plain, é, 中, 👩‍👧", "plain, é, 中, 👩‍👧"), ("a\u{1B}[31mb", "a\\u{1b}[31mb"), ("a\0b", "a\\u{0}b"),
    ("a\nb\tc\rd\r\ne", "a\\nb\\tc\\rd\\r\\ne"), ("a\u{7F}b\u{9B}c", "a\\u{7f}b\\u{9b}c"),
    ("a\u{202E}b\u{2069}c", "a\\u{202e}b\\u{2069}c"),
    // The neighbors of these characters in UTF-8 are text.
    ("a\u{A0}b\u{2028}c“d”", "a\u{A0}b\u{2028}c“d”"),
  ])
  func areShown(_ text: String, shown: String) {
    #expect(ControlCharacters.escaped(in: text) == shown)
  }

  @Test func somePlacesTakeSome() {
    #expect(ControlCharacters.escaped(in: "a\tb\n\u{8}", keeping: ["\n", "\t"]) == "a\tb\n\\u{8}")
  }

  /// The carets remain below the marked text, and tabs remain tabs.
  @Test func aDiagnosticShowsThem() {
    let diagnostic = DiagnosticMessage(
      .error, "test", "'a\u{1B}b' is\nwrong", at: SourcePlace(file: "f\u{7}", line: 1, column: 2),
      excerpt: .init(text: "\tx\u{1B}y\u{0}z", range: 3..<5, note: "in '\u{9B}'"),
      help: ["say '\u{202E}'"])
    #expect(
      DiagnosticRenderer(color: false).render(diagnostic) == """
        f\\u{7}:1:2: error: 'a\\u{1b}b' is\\nwrong [test]
          \tx\\u{1b}y\\u{0}z
          \t       ^^^^^^ in '\\u{9b}'
          help: say '\\u{202e}'

        """)
  }
}
