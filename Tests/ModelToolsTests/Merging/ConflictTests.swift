import ModelTools
import StoreDiagnostics
import TestSupport
import Testing

/// Conflicts that require a manual decision, and their messages in Fixtures/conflicts.txt.
struct ConflictTests {
  @Test func conflicts() throws {
    var page = ""
    for (name, ours, theirs) in Self.cases {
      let result = try Self.merge(Self.base, Self.edited(ours), Self.edited(theirs))
      page += "# \(name)\n" + Self.shown(result)
    }
    page += "# No common past\n"
    page += Self.shown(
      try Self.merge(
        nil, Self.edited([("byName", "byTitle")]), Self.edited([("Integer 16", "Float")])))
    Golden.expect(page, matches: "conflicts.txt")
  }

  /// A string in another Unicode spelling has other bytes, and is a different value.
  @Test func keepsAChangedSpelling() throws {
    func model(_ age: String, _ name: String) -> String {
      """
      <model><entity name="A"><attribute name="age" defaultValueString="\(age)"/>
      <attribute name="name" defaultValueString="\(name)"/></entity></model>
      """
    }
    let base = model("caf\u{E9}", "x")
    let result = try Self.merge(base, model("caf\u{E9}", "y"), model("cafe\u{301}", "x"))
    #expect(result.conflicts.isEmpty)
    #expect(result.bytes == Array(model("cafe\u{301}", "y").utf8))
  }

  private static let age = #"<attribute name="age" optional="YES" attributeType="Integer 16"/>"#
  private static let tag = "    <entity name=\"Tag\"/>\n"
  private static let end = "    <fetchRequest"

  private static let cases: [(String, [(String, String)], [(String, String)])] = [
    ("One value, changed in two ways", [("Integer 16", "Integer 32")], [("Integer 16", "Double")]),
    (
      "Two attributes of one line",
      [("optional=\"YES\" attributeType=\"Integer 16\"", "attributeType=\"Float\"")],
      [("Integer 16", "Double")]
    ),
    (
      "Changed and removed", [("        \(age)\n", "")], [("Integer 16", "Integer 64")]
    ),
    (
      "Both added the same name",
      [(end, "    <entity name=\"Book\"><attribute name=\"a\"/></entity>\n\(end)")],
      [(end, "    <entity name=\"Book\"><attribute name=\"b\"/></entity>\n\(end)")]
    ),
    (
      "Two kinds of one name",
      [(age, age + "\n        <attribute name=\"x\" attributeType=\"Date\"/>")],
      [
        (
          "        <fetchIndex name",
          "        <relationship name=\"x\" maxCount=\"1\" deletionRule=\"Nullify\" destinationEntity=\"Tag\"/>\n        <fetchIndex name"
        )
      ]
    ),
    (
      "Removed and referred to", [(tag, "")],
      [
        (
          "        <fetchIndex name",
          "        <relationship name=\"tag\" maxCount=\"1\" deletionRule=\"Nullify\" destinationEntity=\"Tag\"/>\n        <fetchIndex name"
        )
      ]
    ),
    (
      "The columns of an index",
      [
        (
          "property=\"name\" type=\"Binary\" order=\"ascending\"/>",
          "property=\"name\" type=\"Binary\" order=\"ascending\"/><fetchIndexElement property=\"age\" type=\"Binary\" order=\"ascending\"/>"
        )
      ],
      [("property=\"name\"", "property=\"age\"")]
    ),
    (
      "Renamed in two ways",
      [("name=\"age\"", "name=\"years\" elementID=\"age\"")],
      [("name=\"age\"", "name=\"ages\" elementID=\"age\"")]
    ),
    (
      "A template loses its attribute", [("        \(age)\n", "")],
      [("TRUEPREDICATE", "age &gt; 3")]
    ),
  ]

  private static let base = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Person">
            \(age)
            <attribute name="name" attributeType="String"/>
            <fetchIndex name="byName">
                <fetchIndexElement property="name" type="Binary" order="ascending"/>
            </fetchIndex>
        </entity>
        <entity name="Tag"/>
        <fetchRequest name="all" entity="Person" predicateString="TRUEPREDICATE"/>
    </model>
    """

  private static func edited(_ edits: [(String, String)]) -> String {
    edits.reduce(base) { $0.replacing($1.0, with: $1.1) }
  }

  static func merge(
    _ base: String?, _ ours: String, _ theirs: String, _ labels: MergeLabels = MergeLabels()
  ) throws -> ModelMerge.Result {
    func file(_ name: String, _ text: String) throws -> ModelText {
      try ModelText(file: name, bytes: Array(text.utf8))
    }
    return ModelMerge(
      base: try base.map { try file("base", $0) }, ours: try file("ours", ours),
      theirs: try file("theirs", theirs)
    ).result(as: "contents", labels)
  }

  private static func shown(_ result: ModelMerge.Result) -> String {
    String(decoding: result.bytes, as: UTF8.self) + "\n"
      + result.conflicts.map(DiagnosticRenderer().render).joined() + "\n"
  }
}
