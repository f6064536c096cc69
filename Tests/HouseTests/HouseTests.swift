import Foundation
import Testing

/// The rules of the house hold for the text of all sources.
struct HouseTests {
  private static let sources = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources")

  /// By path below `Sources`.
  private static let files: [(path: String, text: SourceText)] = {
    let found = FileManager.default.enumerator(atPath: sources.path)
    let paths = (found?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }
    return paths.sorted().map { path in
      let bytes = FileManager.default.contents(atPath: sources.appending(path: path).path)
      return (path, SourceText(String(decoding: bytes ?? Data(), as: UTF8.self)))
    }
  }()

  @Test(arguments: HouseRule.all)
  func holds(_ rule: HouseRule) throws {
    try #require(Self.files.count > 500)
    let breaches = try rule.breaches(in: Self.files)
    let strangers = breaches.filter { rule.leave(for: $0.key) == nil }
    #expect(strangers.values.flatMap(\.self).sorted() == [])
    let needed = breaches.keys.compactMap(rule.leave)
    // What nothing needs would hide the next breach.
    #expect(Set(rule.room + rule.exceptions.keys).subtracting(needed) == [])
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
  }
}
