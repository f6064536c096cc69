import Foundation
import PlainSQLite
import SeededRandom
import StoreDiagnostics
import TestSupport
import Testing

/// A store that is opened through a symbolic link, and has a large value in a file.
struct LinkedStoreTests {
  private static let file = "0E984725-C51C-4BF4-9960-E1C80E27ABA0"
  private static let content = String(repeating: "large value ", count: 2_000)

  private let samples: SampleFolder

  init() throws {
    samples = try SampleFolder()
    try samples.folder.write(
      """
      <?xml version="1.0"?><model><entity name="Page">\
      <attribute name="title" optional="YES" attributeType="String"/>\
      <attribute name="image" optional="YES" attributeType="Binary" \
      allowsExternalBinaryDataStorage="YES"/></entity></model>
      """, to: "M.xml")
    try samples.folder.write("Page.title: fake-name\nPage.image: hash\n", to: "rules")
    try samples.folder.write("a key for the trials", to: "key")
    try samples.folder.write(Self.content, to: "real/.S_SUPPORT/_EXTERNAL_DATA/\(Self.file)")
    try samples.expect(
      "storetool create real/S.sqlite --model M.xml"
        + " && storetool insert Page title=secret --store real/S.sqlite --model M.xml"
        + " && ln -s real/S.sqlite link.sqlite && chmod 640 real/S.sqlite")
    let name = Data(Self.file.utf8).map { String(format: "%02X", $0) }.joined()
    try PlainDatabase(samples.folder.path("real/S.sqlite"))
      .execute("UPDATE ZPAGE SET ZIMAGE = X'02\(name)00'")
  }

  private let anonymize = ["anonymize", "--rules", "rules", "--key-file", "key"]
  private let link = ["--store", "link.sqlite", "--model", "M.xml"]

  private func line(_ words: [String]) -> String { (["storetool"] + words).joined(separator: " ") }

  private func values() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: samples.folder.path("real/.S_SUPPORT/_EXTERNAL_DATA"))
  }

  @Test func rowsInTheWALAreRead() throws {
    let writer = try PlainDatabase(samples.folder.path("real/S.sqlite"))
    try writer.execute("PRAGMA wal_autocheckpoint = 0; UPDATE ZPAGE SET ZTITLE = 'in the -wal'")
    let rows = try samples.expect(line(["fetch", "Page", "--select", "title"] + link))
    #expect(rows == "{\"title\":\"in the -wal\"}\n")
    try writer.close()
  }

  @Test func anonymizingInPlaceReplacesTheFile() throws {
    try samples.expect(line(anonymize + ["--in-place"] + link))
    #expect(try values().count == 1)
    #expect(try !values().contains(Self.file))
    try samples.expect("test -L link.sqlite && ! grep -rq 'large value' real")
    try samples.expect(line(["verify"] + link))
  }

  @Test func aDeletedRowTakesItsFileWithIt() throws {
    let outcome = try samples.shell.run(line(["batch-delete", "Page", "--all"] + link))
    #expect(outcome.errors.contains("removed 1 file"))
    #expect(try values() == [])
  }

  @Test func aBackupHasTheValuesAndTheMode() throws {
    try samples.folder.write(
      """
      <?xml version="1.0"?><model><entity name="Page">\
      <attribute name="title" optional="YES" attributeType="String"/>\
      <attribute name="image" optional="YES" attributeType="Binary" \
      allowsExternalBinaryDataStorage="YES"/><attribute name="n" optional="YES" \
      attributeType="String"/></entity></model>
      """, to: "N.xcdatamodeld/B.xcdatamodel/contents")
    try samples.expect(
      "mkdir N.xcdatamodeld/A.xcdatamodel && cp M.xml N.xcdatamodeld/A.xcdatamodel/contents"
        + " && storetool migrate --to B --store link.sqlite --model N.xcdatamodeld --backup b.sqlite"
    )
    try samples.expect("cmp .b_SUPPORT/_EXTERNAL_DATA/* real/.S_SUPPORT/_EXTERNAL_DATA/*")
    #expect(try samples.expect("find b.sqlite -perm 640") == "b.sqlite\n")
    #expect(try samples.expect("find .b_SUPPORT -name '.storetool*'") == "")
  }

  /// The folder of the values kept its old name, so the store can't find its values.
  @Test(arguments: ["hash", "blank", "null"])
  func aRenamedStoreIsNotAnonymizedInPlace(rule: String) throws {
    try samples.folder.write("Page.title: fake-name\nPage.image: \(rule)\n", to: "rules")
    try samples.expect("mv real/S.sqlite real/T.sqlite && cp real/T.sqlite before")
    let outcome = try samples.shell.run(
      line(anonymize + ["--in-place", "--store", "real/T.sqlite", "--model", "M.xml"]))
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("[anonymize.missing-files]"), "\(outcome.errors)")
    try samples.expect("cmp before real/T.sqlite")
    let deletion = try samples.shell.run(
      "storetool batch-delete Page --all --store real/T.sqlite --model M.xml")
    #expect(!deletion.errors.contains("removed"), "\(deletion.errors)")
    #expect(try values() == [Self.file])
  }

  /// A killed run leaves a folder with values. The next run must not fail because of it.
  @Test func aCopyIsMadeAfterOneThatWasKilled() throws {
    let arguments = anonymize + ["--output", "copy.sqlite"] + link
    let start = ContinuousClock.now
    try samples.expect(line(arguments))
    let duration = ContinuousClock.now - start
    var generator = SeededGenerator(seed: 34)
    for _ in 0..<12 {
      try samples.expect("rm -rf copy.sqlite .copy_SUPPORT")
      let moment = duration * Double.random(in: 0...1, using: &generator)
      _ = try samples.run(arguments, sending: SIGKILL, after: moment)
      guard try samples.shell.run("test -e copy.sqlite").status != 0 else { continue }
      let again = try samples.shell.run(line(arguments))
      #expect(again.status == 0, "killed after \(moment): \(again.errors)")
      try samples.expect("storetool verify --store copy.sqlite --model M.xml")
    }
    #expect(try samples.expect("find .copy_SUPPORT -name '.storetool*'") == "")
  }

  @Test func anAbandonedFolderIsReplacedAndAForeignOneStays() throws {
    let copy = line(anonymize + ["--output", "copy.sqlite"] + link)
    try samples.folder.write("", to: ".copy_SUPPORT/.storetool-draft")
    try samples.folder.write("old", to: ".copy_SUPPORT/_EXTERNAL_DATA/\(Self.file)")
    try samples.expect(copy)
    try samples.expect("test ! -e .copy_SUPPORT/_EXTERNAL_DATA/\(Self.file)")
    try samples.expect("rm copy.sqlite")
    let refused = try samples.shell.run(copy)
    #expect(refused.status == 73)
    #expect(try samples.expect("ls .copy_SUPPORT/_EXTERNAL_DATA | wc -l | tr -d ' '") == "1\n")
  }
}
