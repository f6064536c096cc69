import ModelTools
import StoreDiagnostics
import Testing

/// Changes of a file's text by a merge.
struct LayoutTests {
  private static let base = """
    <?xml version="1.0"?>
    <model lastSavedToolsVersion="100" systemVersion="20A1">
      <!-- first -->
      <entity  name='A' syncable = "YES">
    \t<attribute name="a" attributeType="String"></attribute>
    \t<attribute name="c" attributeType="String"/>
      </entity>
      <elements><element name="A" positionX="0" positionY="0" width="128" height="73"/></elements>
    </model>
    <!-- end -->

    """

  private static func merge(_ base: String, _ ours: String, _ theirs: String) throws -> String {
    let result = try ConflictTests.merge(base, ours, theirs)
    #expect(result.conflicts.isEmpty)
    return String(decoding: result.bytes, as: UTF8.self)
  }

  private static func edited(_ edits: [String: String]) -> String {
    edits.reduce(base) { $0.replacing($1.key, with: $1.value) }
  }

  /// Quotes, tabs, comments and spaces are kept, and additions are placed next to their neighbors.
  @Test func textIsKept() throws {
    let new = #"<attribute name="b" attributeType="Date"/>"#
    let (ours, theirs) = (
      ["name='A'": "name='A' isAbstract='YES'"],
      ["\t<attribute name=\"c\"": "\t\(new)\n\t<attribute name=\"c\""]
    )
    #expect(
      try Self.merge(Self.base, Self.edited(ours), Self.edited(theirs))
        == Self.edited(ours.merging(theirs) { one, _ in one }))
  }

  @Test func twoAdditionsInOneGapAreSorted() throws {
    func line(_ name: String) -> String {
      "\t<attribute name=\"\(name)\" attributeType=\"Date\"/>\n"
    }
    let gap = "\t<attribute name=\"c\""
    let merged = try Self.merge(
      Self.base, Self.edited([gap: line("b2") + gap]),
      Self.edited([gap: line("b1") + line("b10") + gap]))
    #expect(merged == Self.edited([gap: line("b1") + line("b2") + line("b10") + gap]))
  }

  /// The tool version and the system version of the later Xcode are taken together.
  @Test func laterToolsAreTaken() throws {
    let (version, system) = ("\"100\"", "\"20A1\"")
    let merged = try Self.merge(
      Self.base, Self.edited([version: "\"1000.9\"", system: "\"21A9\""]),
      Self.edited([version: "\"1000.10\"", system: "\"20B1\""]))
    #expect(merged == Self.edited([version: "\"1000.10\"", system: "\"20B1\""]))
  }

  /// Both sides have added attributes to an entity, so its height in the diagram grows by both.
  @Test func heightsAddUp() throws {
    let merged = try Self.merge(
      Self.base, Self.edited(["\"73\"": "\"88\"", "positionX=\"0\"": "positionX=\"9\""]),
      Self.edited(["\"73\"": "\"103\"", "positionX=\"0\"": "positionX=\"18\""]))
    #expect(merged == Self.edited(["\"73\"": "\"118\"", "positionX=\"0\"": "positionX=\"9\""]))
  }

  @Test func commentsOfBothAreKept() throws {
    let merged = try Self.merge(
      Self.base, Self.edited(["first": "ours", "'A'": "'A' isAbstract=\"YES\""]),
      Self.edited(["first": "theirs"]))
    #expect(merged.contains("<!-- ours -->\n  <!-- theirs -->\n  <entity  name='A' isAbstract"))
    let end = try Self.merge(
      Self.base, Self.edited(["  </entity>": "\t<!-- of ours -->\n  </entity>"]),
      Self.edited(["  </entity>": "\t<!-- of theirs -->\n  </entity>", "<!-- end -->": ""]))
    #expect(
      end
        == Self.edited([
          "  </entity>": "\t<!-- of ours -->\n\t<!-- of theirs -->\n  </entity>",
          "<!-- end -->": "",
        ]))
  }

  /// The line ends of our file are kept, unless theirs changes all of them.
  @Test(arguments: [(true, true, true), (false, false, true), (false, true, false)])
  func lineEndsAreKept(_ isReturned: (base: Bool, ours: Bool, theirs: Bool)) throws {
    func text(_ isReturned: Bool, _ edits: [String: String]) -> String {
      let text = Self.edited(edits)
      return isReturned ? text.replacing("\n", with: "\r\n") : text
    }
    let other = ["positionX=\"0\"": "positionX=\"7\""]
    let merged = try Self.merge(
      text(isReturned.base, [:]), text(isReturned.ours, ["YES": "NO"]),
      text(isReturned.theirs, other))
    #expect(merged == text(true, other.merging(["YES": "NO"]) { one, _ in one }))
  }

  /// If each side adds the first entry, the merge contains one user info.
  @Test func containersOfBothBecomeOne() throws {
    func info(_ key: String) -> String {
      "\t<userInfo>\n\t  <entry key=\"\(key)\" value=\"1\"/>\n\t</userInfo>\n  </entity>"
    }
    let merged = try Self.merge(
      Self.base, Self.edited(["  </entity>": info("a")]), Self.edited(["  </entity>": info("b")]))
    #expect(
      merged.contains(
        "\t<userInfo>\n\t  <entry key=\"a\" value=\"1\"/>\n\t  <entry key=\"b\" value=\"1\"/>\n\t</userInfo>"
      ))
  }

  /// A rename on one side, and a new reference on the other.
  @Test func referencesFollowARename() throws {
    let relationship =
      "\t<relationship name=\"me\" maxCount=\"1\" deletionRule=\"Nullify\" destinationEntity=\"A\"/>\n  </entity>"
    let renamed = Self.edited([
      "<entity  name='A'": "<entity  name='Z' elementID='A'",
      "<element name=\"A\"": "<element name=\"Z\"",
    ])
    let merged = try Self.merge(Self.base, renamed, Self.edited(["  </entity>": relationship]))
    #expect(
      merged
        == renamed.replacing("  </entity>", with: relationship.replacing("=\"A\"", with: "=\"Z\"")))
  }

  @Test func markersAreAsAskedFor() throws {
    let result = try ConflictTests.merge(
      Self.base, Self.edited(["\"a\"": "\"a\" optional=\"YES\""]),
      Self.edited(["\"a\"": "\"a\" optional=\"NO\""]),
      MergeLabels(ours: "main", theirs: "topic", markerSize: 9))
    let text = String(decoding: result.bytes, as: UTF8.self)
    #expect(text.contains("<<<<<<<<< main\n\t<attribute"))
    #expect(text.contains("=========\n\t<attribute"))
    #expect(text.contains(">>>>>>>>> topic\n\t<attribute name=\"c\""))
    #expect(
      result.conflicts.map(\.message) == [
        "'optional' of the attribute 'A.a': 'main' has 'YES', and 'topic' has 'NO'"
      ])
  }
}
