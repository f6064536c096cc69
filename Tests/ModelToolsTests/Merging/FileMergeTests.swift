import ModelTools
import StoreDiagnostics
import Testing

/// Files that Git passes to the merge driver: models, current versions and other files.
struct FileMergeTests {
  private static func merge(
    _ path: LocalPath, _ base: String, _ ours: String, _ theirs: String, versions: [String]? = nil
  ) -> (text: String, messages: [String], fault: [String]) {
    let result = FileMerge(
      path: path, base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8),
      versions: versions
    ).result(MergeLabels())
    return (
      String(decoding: result.merge.bytes, as: UTF8.self),
      (result.merge.conflicts + result.merge.notes).map(\.message),
      result.error?.diagnostics.map(\.message) ?? []
    )
  }

  private static func current(_ version: String) -> String {
    "<plist version=\"1.0\">\n<dict>\n<key>_XCCurrentVersionName</key>\n<string>\(version).xcdatamodel</string>\n</dict>\n</plist>\n"
  }

  @Test func laterVersionIsTaken() {
    for (ours, theirs) in [("App 9", "App 10"), ("App 10", "App 9")] {
      let merge = Self.merge(
        "App.xcdatamodeld/.xccurrentversion", Self.current("App 8"), Self.current(ours),
        Self.current(theirs))
      #expect(merge.text == Self.current("App 10"))
      #expect(
        merge.messages == [
          "both sides changed the current version, to '\(ours)' and to '\(theirs)'; 'App 10' is used"
        ])
    }
  }

  @Test func unorderedVersionsConflict() {
    let merge = Self.merge(
      ".xccurrentversion", Self.current("App"), Self.current("Red"), Self.current("Blue"))
    #expect(merge.text.contains("<<<<<<< ours\n<string>Red.xcdatamodel</string>\n=======\n"))
    #expect(
      merge.messages == [
        "the current version: our side has 'Red', their side has 'Blue', and the names don't show which version is later"
      ])
    let gone = Self.merge(
      ".xccurrentversion", Self.current("App"), Self.current("App 3"), Self.current("App 2"),
      versions: ["App", "App 2"])
    #expect(
      gone.messages == [
        "the current version: our side has 'App 3', their side has 'App 2', and 'App 3' doesn't exist in the folder of the file"
      ])
  }

  @Test func oneSidedChangeIsTaken() {
    let merge = Self.merge(
      ".xccurrentversion", Self.current("App"), Self.current("App"), Self.current("Old"))
    #expect(merge.text == Self.current("Old"))
    #expect(merge.messages == [])
  }

  /// Files that aren't valid models are merged line by line, and reported.
  @Test func brokenFilesAreLeftBetweenMarkers() {
    let merge = Self.merge("contents", "<model/>", "<model>\na\n<b\n", "<model>\nc\n<b\n")
    #expect(merge.text == "<model>\n<<<<<<< ours\na\n=======\nc\n>>>>>>> theirs\n<b\n")
    #expect(merge.fault.count == 1)
    #expect(Self.merge("contents", "<model", "<model", "<model2").text == "<model2")
    let other = Self.merge("contents", "<model/>", "<plist/>", "<model>\n</model>")
    #expect(other.fault == ["the root element of 'contents (ours)' is 'plist', not 'model'"])
  }

  /// Without a common ancestor, the merge takes a model with the same contents on both sides, regardless of which tool
  /// saved it.
  @Test func sameVersionOfBothIsTaken() {
    let ours = "<model systemVersion=\"20A1\">\n  <entity name=\"A\"/>\n</model>"
    let theirs = "<model systemVersion='21A1'><entity name='A'/></model>"
    let merge = Self.merge("contents", "", ours, theirs)
    #expect(merge.text == ours.replacing("\"20A1\"", with: "'21A1'"))
    #expect(merge.messages == [])
  }

  @Test(arguments: [
    ("App 12", "App 13"), ("App", "App 2"), ("App9", "App10"), ("2.47.0", "2.47.1"),
    ("A 09", "A 10"),
  ])
  func nextVersion(_ name: String, _ next: String) {
    #expect(VersionName.next(after: name) == next)
    #expect(VersionName.ofModel(at: "M/App.xcdatamodeld/\(name).xcdatamodel/contents") == name)
  }
}
