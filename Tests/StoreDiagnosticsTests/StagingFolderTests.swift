import Foundation
import StoreDiagnostics
import TestSupport
import Testing

@Suite struct StagingFolderTests {
  private let folder: TemporaryFolder
  private let staging: StagingFolder
  private let id = "0E984725-C51C-4BF4-9960-E1C80E27ABA0"

  init() throws {
    folder = try TemporaryFolder()
    staging = try StagingFolder(LocalPath(folder.url.path))
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  /// Also removes the files that SQLite keeps beside a database, even if the draft itself is missing.
  @Test(arguments: ["", "-wal", "-shm", "-journal"])
  func removesWhatAKilledProcessLeft(companion: String) throws {
    try folder.write("", to: ".a.sqlite.\(id).new\(companion)")
    let draft = try staging.makeFile(for: "a.sqlite").draft
    #expect(try names == ["\(draft.path.name)"])
    draft.remove()
    #expect(try names == [])
  }

  @Test func removesAFolderWithItsFiles() throws {
    try folder.write("", to: ".a.momd.\(id).new/inner/file")
    try staging.makeFolder(for: "a.momd").remove()
    #expect(try names == [])
  }

  @Test(arguments: [
    ".a.ID.new", ".a.b.ID", "a.ID.new", ".a.notes.new", ".ID.new", ".a..ID.new", ".b.ID.new",
  ])
  func otherFilesStay(name: String) throws {
    let name = name.replacing("ID", with: name == ".a.ID.new" ? "\(id)0" : id)
    try folder.write("mine", to: name)
    try staging.makeFile(for: "a").draft.remove()
    #expect(try names == [name])
  }

  @Test func aDraftOfAProcessAtWorkStays() throws {
    let first = try staging.makeFile(for: "a").draft
    try folder.write("", to: "\(first.path.name)-wal")
    let second = try staging.makeFile(for: "a").draft
    #expect(
      try names == ["\(first.path.name)", "\(first.path.name)-wal", "\(second.path.name)"].sorted())
  }

  @Test func theCallerChoosesNames() throws {
    try folder.write("", to: ".a.1.backup.\(id).new")
    try folder.write("", to: ".b.\(id).new")
    staging.removeAbandoned { $0.bytes.starts(with: Array("a.".utf8)) }
    #expect(try names == [".b.\(id).new"])
  }

  @Test func aMissingFolderIsAnError() {
    #expect(throws: SystemError.self) { try StagingFolder(LocalPath(folder.path("none"))) }
  }
}
