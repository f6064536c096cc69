import StoreDiagnostics
import Testing

/// What a person reads of a diagnostic.
struct DiagnosticRendererTests {
  private func rendered(
    _ text: String, _ range: Range<Int>, note: String? = nil
  ) -> [String] {
    let diagnostic = Diagnostic(
      .error, "test", "wrong", excerpt: .init(text: text, range: range, note: note))
    return DiagnosticRenderer().render(diagnostic).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropFirst().dropLast().map(String.init)
  }

  @Test func allPartsStandInTheirOrder() {
    let diagnostic = Diagnostic(
      .error, "predicate.unknown-key-path", "'Person' has no property 'nmae'",
      at: SourcePlace(file: "People/contents", line: 12, column: 52),
      excerpt: .init(text: "nmae == $NAME", range: 0..<4, note: "in fetch request 'peopleFR'"),
      help: ["did you mean 'name'?", .text("or look at the model")])
    #expect(
      DiagnosticRenderer().render(diagnostic) == """
        People/contents:12:52: error: 'Person' has no property 'nmae' [predicate.unknown-key-path]
          nmae == $NAME
          ^^^^ in fetch request 'peopleFR'
          help: did you mean 'name'?
          help: or look at the model

        """)
  }

  @Test(arguments: [Diagnostic.Severity.error, .warning, .note])
  func theSeverityIsSaid(_ severity: Diagnostic.Severity) {
    #expect(
      DiagnosticRenderer().render(Diagnostic(severity, "code", "sentence"))
        == "\(severity): sentence [code]\n")
  }

  /// Only the word is colored, so that a search for the sentence finds it.
  @Test func colorsAreForTerminals() {
    let diagnostic = Diagnostic(.warning, "code", "sentence", help: ["do"])
    #expect(
      DiagnosticRenderer(color: true).render(diagnostic)
        == "\u{1B}[33mwarning:\u{1B}[0m sentence [code]\n  \u{1B}[1mhelp:\u{1B}[0m do\n")
  }

  @Test(arguments: [
    // A range without a character has one caret, also behind the end.
    ("age ==", 6..<6, "        ^"), ("age", 9..<12, "     ^"),
    // Characters of several bytes, of two cells, and of none.
    ("größe == x", 11..<12, "           ^"), ("名前 == x", 0..<6, "  ^^^^"),
    ("名前 == x", 10..<11, "          ^"), ("e\u{301} = 1", 4..<5, "    ^"),
    ("👩‍👧 = 1", 12..<13, "     ^"),
    // Tabs stay, so that the caret stands below whatever a tab is worth.
    ("\ta == b", 3..<5, "  \t  ^^"),
  ])
  func theCaretStandsBelow(_ text: String, _ range: Range<Int>, _ carets: String) {
    #expect(rendered(text, range) == ["  " + text, carets])
  }

  /// The line of the mark is shown, and what is marked beyond its end is not.
  @Test func oneLineOfATextIsShown() {
    let text = "a == 1\nAND b ==\nOR c"
    #expect(rendered(text, 11..<12) == ["  AND b ==", "      ^"])
    #expect(rendered(text, 13..<20) == ["  AND b ==", "        ^^"])
    #expect(rendered(text, 0..<1) == ["  a == 1", "  ^"])
  }

  @Test func ofALongLineTheSurroundingsAreShown() {
    let text = String(repeating: "x", count: 100_000) + "!" + String(repeating: "y", count: 100_000)
    let lines = rendered(text, 100_000..<100_001, note: "here")
    #expect(
      lines[0] == "  " + String(repeating: "x", count: 240) + "!"
        + String(repeating: "y", count: 319))
    #expect(lines[1] == "  " + String(repeating: " ", count: 240) + "^ here")
    // It is not cut inside of a character.
    let wide = rendered(
      String(repeating: "名", count: 100) + "x!" + String(repeating: "名", count: 200), 301..<302)
    #expect(
      wide[0] == "  " + String(repeating: "名", count: 79) + "x!"
        + String(repeating: "名", count: 107))
    #expect(wide[1] == "  " + String(repeating: " ", count: 159) + "^")
  }

  /// A library says what helps, an interface how that is done in it.
  @Test func anInterfaceHasItsOwnWords() {
    struct Shouting: DiagnosticWording {
      func sentence(for remedy: Remedy) -> String { remedy.description.uppercased() }
      func sentence(for problem: ArgumentProblem) -> String { "no --group-by" }
    }
    let diagnostic = Diagnostic(.error, "request.groups", .groupFilterWithoutGroups)
      .helping("group")
    #expect(
      DiagnosticRenderer().render(diagnostic)
        == "error: groups are filtered, and there are none [request.groups]\n  help: group\n")
    #expect(
      DiagnosticRenderer(wording: Shouting()).render(diagnostic)
        == "error: no --group-by [request.groups]\n  help: GROUP\n")
    // Another message is about something else.
    var other = diagnostic
    other.message = "other"
    #expect(other.message(in: Shouting()) == "other")
  }
}
