import StoreDiagnostics
import Foundation
import StoreModelReader
import TestSupport
import Testing

/// Files that are replaced completely.
struct StagedFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  private func attribute(_ key: FileAttributeKey, of name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder.path(name))[key] as? Int
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  private func replace(_ name: String) throws(FileWriteError) {
    try StagedFile.replace(LocalPath(folder.path(name)), with: Array("new".utf8))
  }

  @Test(arguments: [0o600, 0o640, 0o666, 0o755])
  func keepsTheMode(_ mode: Int) throws {
    let path = try folder.write("old", to: "a")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    try replace("a")
    #expect(try text("a") == "new")
    #expect(try attribute(.posixPermissions, of: "a") == mode)
    #expect(try names == ["a"])
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
  func keepsTheOwner() throws {
    let path = try folder.write("old", to: "a")
    try FileManager.default.setAttributes(
      [.ownerAccountID: 1234, .groupOwnerAccountID: 4321, .posixPermissions: 0o640],
      ofItemAtPath: path)
    try replace("a")
    #expect(try text("a") == "new")
    #expect(try attribute(.ownerAccountID, of: "a") == 1234)
    #expect(try attribute(.groupOwnerAccountID, of: "a") == 4321)
    #expect(try attribute(.posixPermissions, of: "a") == 0o640)
  }

  @Test func keepsALink() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("other"), withIntermediateDirectories: false)
    try folder.write("old", to: "other/a")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "other/a")
    try replace("link")
    #expect(try text("other/a") == "new")
    let destination = try FileManager.default.destinationOfSymbolicLink(
      atPath: folder.path("link"))
    #expect(destination == "other/a")
  }

  @Test func refusesALinkThatLeadsNowhere() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "none")
    let error = #expect(throws: FileWriteError.self) { try replace("link") }
    #expect(error?.reason == "it is a broken symbolic link")
    #expect(try names == ["link"])
  }

  @Test func writesIntoADevice() throws {
    try StagedFile.replace("/dev/null", with: Array("new".utf8))
    let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
    #expect(type as? FileAttributeType == .typeCharacterSpecial)
  }

  @Test func neverReplacesWhatIsAdded() throws {
    try folder.write("old", to: "a")
    let error = #expect(throws: FileWriteError.self) {
      try StagedFile.add(Array("new".utf8), at: LocalPath(folder.path("a")))
    }
    #expect(error?.isTaken == true)
    try StagedFile.add(Array("new".utf8), at: LocalPath(folder.path("b")))
    #expect(try (text("a"), text("b")) == ("old", "new"))
    #expect(try names == ["a", "b"])
  }

  /// Removes drafts of killed processes. A draft of a running process and other files remain.
  @Test func removesAbandonedDrafts() throws {
    let id = UUID().uuidString
    for name in [".a.\(id).new", ".b.\(id).new", ".a.notes.new"] { try folder.write("", to: name) }
    try replace("a")
    #expect(try names == [".a.notes.new", ".b.\(id).new", "a"])
    let atWork = try StagedFile(Array("more".utf8), for: LocalPath(folder.path("a")))
    try replace("a")
    try atWork.publish()
    #expect(try text("a") == "more")
    #expect(try names == [".a.notes.new", ".b.\(id).new", "a"])
  }

  @Test func leavesNoDraftBehind() throws {
    let draft = try StagedFile(
      Array("new".utf8), for: LocalPath(folder.path("new/a")), makesFolder: true)
    #expect(try !names.contains("new"))
    draft.discard()
    #expect(try names == [])
  }
}
