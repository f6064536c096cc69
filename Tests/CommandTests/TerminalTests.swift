import Foundation
import TestSupport
import Testing

/// The output on terminals of several widths, with and without colors.
@Suite(.enabled(if: TerminalScreen.isHere, TerminalScreen.absence), .serialized)
struct TerminalTests {
  private let samples: SampleFolder

  init() throws {
    samples = try SampleFolder()
    try samples.expect("storetool create --model Models/People.xcdatamodeld")
    try samples.expect("storetool import Models/Data/People.ndjson")
    // The values are wide characters, a combining accent, the text NULL, and an empty text.
    try samples.expect(
      """
      storetool insert Person memberNumber=90 name=NULL nickname= city=City/p1
      storetool insert Person memberNumber=91 name="$(printf '漢字仮名交じり文の名前')" nickname=漢字
      storetool insert Person memberNumber=92 name="$(printf 'Ame\\xcc\\x81lie \\xf0\\x9f\\x91\\x8d')"
      """)
  }

  private static let commands = [
    "storetool fetch Person --where 'memberNumber > 12' --sort memberNumber",
    "storetool fetch Person --where 'memberNumber > 88' --select name,nickname,memberNumber,city,objectID",
    "storetool fetch Person --where 'memberNumber == 91' --format vertical --select '*,city.name'",
    "storetool fetch Person --where 'memberNumber == 91' --full --select name,nickname,city",
    "storetool fetch City --sections name --limit 2 --no-header",
    """
    storetool fetch Person --where 'name BEGINSWITH "漢字仮名交じり文の名前" AND nmae == "漢字仮名交じり文の名前" AND name != "Ray"'
    """,
    "storetool templates",
  ]

  @Test(arguments: [40, 80, 200], [true, false])
  func showsWhatFits(width: Int, isColored: Bool) throws {
    let lines = Self.commands.map { "echo; echo \"$ \(name(of: $0))\"; \($0)" }
    let screen = try TerminalScreen(
      width, 120, in: samples, running: lines.joined(separator: "\n"),
      environment: isColored ? [:] : ["NO_COLOR": "1"])
    Golden.expect(
      try screen.text(), matches: "terminal.\(width)\(isColored ? ".color" : "").txt")
  }

  /// Returns a name that fits the narrowest terminal.
  private func name(of command: String) -> String {
    command.split(separator: " ").prefix(3).joined(separator: " ")
  }

  /// The list fills the height of the terminal, with its first heading and the totals below. It is drawn again if the
  /// size of the window or the store changes.
  @Test func watchingKeepsTheFirstHeading() throws {
    let screen = try TerminalScreen(
      60, 12, in: samples,
      running: "storetool fetch Person --sections city.name --sort name --select name --watch")
    let first = try screen.text { $0.contains("rows: 19, sections: 7") }
    #expect(first.hasPrefix("(none)\nname\n"), "\(first)")
    try screen.resize(60, 20)
    let higher = try screen.text { $0.contains("Kraków") }
    #expect(higher.hasPrefix("(none)\nname\n"), "\(higher)")
    try samples.expect("storetool insert Person memberNumber=93 name=Aaron")
    let changed = try screen.text { $0.contains("rows: 20") }
    #expect(changed.hasPrefix("(none)\nname\n"), "\(changed)")
    #expect(changed.contains("Aaron"), "\(changed)")
    try screen.send("C-c")
  }

  @Test(arguments: ["", "--no-header"]) func watchingFillsTheScreen(options: String) throws {
    let screen = try TerminalScreen(
      40, 10, in: samples,
      running: "storetool fetch Person --sort memberNumber --select name --watch \(options)")
    let text = try screen.text { $0.contains("rows: 19") }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0].hasPrefix(options.isEmpty ? "name" : "Ray"), "\(text)")
    #expect(lines[8] == "rows: 19", "\(text)")
    try screen.send("C-c")
  }
}
