import Foundation
import Testing

/// Checks the text of all sources against the rules.
struct HouseTests {
  @Test(arguments: HouseRule.all)
  func holds(_ rule: HouseRule) throws {
    try #require(SourceFolder.files.count > 500)
    let breaches = try rule.breaches(in: SourceFolder.files)
    let strangers = breaches.filter { rule.leave(for: $0.key) == nil }
    #expect(strangers.values.flatMap(\.self).sorted() == [])
    let needed = breaches.keys.compactMap(rule.leave)
    // An unused exception would hide the next violation.
    #expect(Set(rule.room + rule.exceptions.keys).subtracting(needed) == [])
  }

  /// The parameter type in Apple's Foundation is a pointer to an `ObjCBool`. The open-source Foundation also accepts an
  /// `inout Bool`.
  @Test func noCodeAsksFileManagerForTheKindOfAFile() throws {
    let rule = HouseRule(
      "kinds of files in tests and plugins", forbids: #"\bisDirectory: ?&"#,
      in: [.code])
    let files = SourceFolder.swiftFiles(below: "Tests") + SourceFolder.swiftFiles(below: "Plugins")
    try #require(files.count > 300)
    #expect(try rule.breaches(in: files) == [:])
  }

  @Test func aSourceIsCutIntoParts() {
    let source = SourceText(
      ##"""
      /// Says `a`. "b"
      let a = "x \(f("y", (1)) /* z */) \"" // w
      let b = #"\n \#(c)"# + """
        two
        """
      """##)
    func texts(_ part: SourceText.Part) -> [String] {
      source.pieces.filter { $0.part == part }
        .map { "\($0.line) \($0.text.trimmingCharacters(in: .whitespaces))" }
    }
    #expect(texts(.documentation) == [#"1 /// Says `a`. "b""#])
    #expect(texts(.comment) == ["2 /* z */", "2 // w"])
    #expect(
      texts(.literal) == [
        "2 \"x", "2 \"y\"", #"2 \"""#, ##"3 #"\n"##, ##"3 "#"##, "3 \"\"\"", "4 two", "5 \"\"\"",
      ])
  }

  @Test func aRuleFindsWhatItForbids() throws {
    let source = SourceText(
      """
      /// As `--where` says.
      let help = "add --where" // --where
      """)
    let rule = HouseRule("flags", forbids: "--[a-z]", in: [.literal, .documentation])
    #expect(
      try rule.breaches(in: [("A.swift", source)])
        == ["A.swift": ["A.swift:1: /// As `--where` says.", "A.swift:2: \"add --where\""]])
    let columns = HouseRule("columns", forbids: #"\bZ_[A-Z]"#, in: [.literal])
    let qualified = SourceText("let key = \"t.Z_PK\"")
    #expect(
      try columns.breaches(in: [("A.swift", qualified)]) == ["A.swift": ["A.swift:1: \"t.Z_PK\""]])
  }
}
