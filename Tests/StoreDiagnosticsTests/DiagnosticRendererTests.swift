import StoreDiagnostics
import Testing

/// The text of diagnostics.
struct DiagnosticRendererTests {
  private func rendered(
    _ text: String, _ range: Range<Int>, note: String? = nil
  ) -> [String] {
    let diagnostic = DiagnosticMessage(
      .error, "test", "wrong", excerpt: .init(text: text, range: range, note: note))
    return DiagnosticRenderer().render(diagnostic).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropFirst().dropLast().map(String.init)
  }

  @Test func allPartsStandInTheirOrder() {
    let diagnostic = DiagnosticMessage(
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

  @Test(arguments: [DiagnosticMessage.Severity.error, .warning, .note])
  func theSeverityIsSaid(_ severity: DiagnosticMessage.Severity) {
    #expect(
      DiagnosticRenderer().render(DiagnosticMessage(severity, "code", "sentence"))
        == "\(severity): sentence [code]\n")
  }

  /// Only the first word is colored, so that the sentence can be found by a text search.
  @Test func colorsAreForTerminals() {
    let diagnostic = DiagnosticMessage(.warning, "code", "sentence", help: ["do"])
    #expect(
      DiagnosticRenderer(color: true).render(diagnostic)
        == "\u{1B}[33mwarning:\u{1B}[0m sentence [code]\n  \u{1B}[1mhelp:\u{1B}[0m do\n")
  }

  @Test(arguments: [
    // An empty range has one caret, even after the end.
    ("age ==", 6..<6, "        ^"), ("age", 9..<12, "     ^"),
    // Characters of several bytes, of two cells, and of none.
    ("größe == x", 11..<12, "           ^"), ("名前 == x", 0..<6, "  ^^^^"),
    ("名前 == x", 10..<11, "          ^"), ("e\u{301} = 1", 4..<5, "    ^"),
    ("👩‍👧 = 1", 12..<13, "     ^"),
    // Tabs are kept, so the caret is in the right column for any tab width.
    ("\ta == b", 3..<5, "  \t  ^^"),
  ])
  func theCaretStandsBelow(_ text: String, _ range: Range<Int>, _ carets: String) {
    #expect(rendered(text, range) == ["  " + text, carets])
  }

  /// Only the first line of the marked text is shown.
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
    // A character is never split.
    let wide = rendered(
      String(repeating: "名", count: 100) + "x!" + String(repeating: "名", count: 200), 301..<302)
    #expect(
      wide[0] == "  " + String(repeating: "名", count: 79) + "x!"
        + String(repeating: "名", count: 107))
    #expect(wide[1] == "  " + String(repeating: " ", count: 159) + "^")
  }

  /// A library provides the remedy, and an interface provides its wording.
  @Test func anInterfaceHasItsOwnWords() {
    struct Shouting: DiagnosticWording {
      func sentence(for remedy: DiagnosticRemedy) -> String { remedy.description.uppercased() }
      func sentence(for problem: ArgumentIssue) -> String { "no --group-by" }
    }
    let diagnostic = DiagnosticMessage(.error, "request.groups", .groupFilterWithoutGroups)
      .helping("group")
    #expect(
      DiagnosticRenderer().render(diagnostic)
        == "error: the filter of groups requires groups [request.groups]\n  help: group\n")
    #expect(
      DiagnosticRenderer(wording: Shouting()).render(diagnostic)
        == "error: no --group-by [request.groups]\n  help: GROUP\n")
    // A different message isn't replaced.
    var other = diagnostic
    other.message = "other"
    #expect(other.message(in: Shouting()) == "other")
  }

  /// A line that is too long for the terminal is shortened around the mark, and the caret remains below it.
  @Test(arguments: [10, 13, 24, 40, 80, 100])
  func aLongLineIsCutAroundTheMark(_ width: Int) throws {
    let text = String(repeating: "a", count: 50) + " nmae " + String(repeating: "b", count: 50)
    let lines = Self.lines(text, 51..<55, width: width)
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(lines)")
    let caret = try #require(lines.last?.firstIndex(of: "^"))
    let before = DisplayWidth.of(lines[1][..<caret])
    var column = 0
    let marked = lines[0].drop { character in
      defer { column += DisplayWidth.of(character) }
      return column < before
    }
    #expect(marked.hasPrefix("nm"), "\(lines)")
  }

  @Test func wideCharactersAreCutWhole() {
    let text = String(repeating: "漢", count: 30) + " nmae " + String(repeating: "字", count: 30)
    #expect(
      Self.lines(text, 91..<95, width: 30) == [
        "  …漢漢漢漢漢 nmae 字字字字字…", "              ^^^^",
      ])
    // One side uses the space that the other side doesn't need.
    #expect(
      Self.lines("a = 漢字漢字漢字漢字漢字漢字漢字漢字", 0..<1, width: 20) == [
        "  a = 漢字漢字漢字…", "  ^",
      ])
    #expect(
      Self.lines("\t漢字漢字漢字漢字漢字漢字 = a", 40..<41, width: 20) == [
        "  …漢字漢字漢字 = a", "                  ^",
      ])
  }

  @Test func aNoteThatFindsNoRoomHasALineOfItsOwn() {
    #expect(
      Self.lines("name == 1", 8..<9, note: "in fetch request 'x'", width: 30) == [
        "  name == 1", "          ^", "  in fetch request 'x'",
      ])
    #expect(
      Self.lines("name == 1", 8..<9, note: "in --where", width: 30) == [
        "  name == 1", "          ^ in --where",
      ])
  }

  private static func lines(
    _ text: String, _ range: Range<Int>, note: String? = nil, width: Int
  ) -> [String] {
    let diagnostic = DiagnosticMessage(
      .error, "test", "wrong", excerpt: .init(text: text, range: range, note: note))
    return DiagnosticRenderer(width: width).render(diagnostic).split(separator: "\n").dropFirst()
      .map(String.init)
  }
}
