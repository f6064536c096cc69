import Foundation
import ModelTools
import StoreDiagnostics
import TestSupport
import Testing

/// Files that are written together or not at all.
struct FileChangesTests {
  private static func text(_ folder: TemporaryFolder, _ name: String) throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func allAreWritten() throws {
    let folder = try TemporaryFolder()
    try Data("old".utf8).write(to: folder.url.appendingPathComponent("a"))
    var changes = FileChanges()
    changes.add(Array("new".utf8), at: LocalPath(folder.path("a")))
    changes.add(Array("there".utf8), at: LocalPath(folder.path("b/c")))
    try changes.write()
    #expect(try Self.text(folder, "a") == "new")
    #expect(try Self.text(folder, "b/c") == "there")
  }

  @Test func modesAndLinksStay() throws {
    let folder = try TemporaryFolder()
    let (file, link) = (try folder.write("old", to: "a"), folder.path("link"))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a")
    var changes = FileChanges()
    changes.add(Array("new".utf8), at: LocalPath(link))
    try changes.write()
    #expect(try Self.text(folder, "a") == "new")
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "a")
  }

  /// The last file can't be written, so the existing file is restored and the new ones are removed.
  @Test func noneIsWritten() throws {
    let folder = try TemporaryFolder()
    try Data("old".utf8).write(to: folder.url.appendingPathComponent("a"))
    var changes = FileChanges()
    for path in ["a", "b/c", "no/folder/d"] {
      changes.add(Array("new".utf8), at: LocalPath(folder.path(path)))
    }
    do {
      try changes.write()
      Issue.record("it was written")
    } catch {
      #expect(error.diagnostics.map(\.code) == ["file.unwritable"])
    }
    #expect(try Self.text(folder, "a") == "old")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a"])
  }
}
