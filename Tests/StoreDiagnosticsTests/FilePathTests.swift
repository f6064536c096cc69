import Foundation
import StoreDiagnostics
import TestSupport
import Testing

@Suite struct FilePathTests {
  private static let composed: LocalPath = "Caf\u{E9}.sqlite"
  private static let decomposed: LocalPath = "Cafe\u{301}.sqlite"

  @Test("paths that differ only by normalization are different paths")
  func normalization() {
    #expect(Self.composed != Self.decomposed)
    #expect(Set([Self.composed, Self.decomposed]).count == 2)
    #expect([Self.composed, Self.decomposed].sorted() == [Self.decomposed, Self.composed])
  }

  @Test(
    "a description shows each byte that isn't UTF-8",
    arguments: [
      ([0x61, 0xFF, 0x62], #"a\xFFb"#), ([0xC3], #"\xC3"#), ([0xC3, 0xA9], "\u{E9}"),
      ([0xED, 0xA0, 0x80], #"\xED\xA0\x80"#), ([], ""),
    ] as [([UInt8], String)])
  func description(bytes: [UInt8], text: String) {
    let path = LocalPath(bytes: bytes)
    #expect(path.description == text)
    #expect(path.text == String(validating: bytes, as: UTF8.self))
  }

  @Test("an interpolation keeps the bytes of the paths in it")
  func interpolation() {
    let store = LocalPath(bytes: [0xFF])
    let log: LocalPath = "\(store)-wal"
    #expect(log.bytes == [0xFF] + Array("-wal".utf8))
  }

  @Test(
    "the parts of a path",
    arguments: [
      ("a/Todo.sqlite", "a/", "Todo.sqlite", "Todo"), ("Todo", "", "Todo", "Todo"),
      ("/Todo.v1.sqlite", "/", "Todo.v1.sqlite", "Todo.v1"), ("a/", "a/", "", ""),
    ])
  func parts(path: String, folder: String, name: String, base: String) {
    let path = LocalPath(path)
    #expect(
      (path.folder, path.name, path.base) == (LocalPath(folder), LocalPath(name), LocalPath(base)))
  }

  @Test(
    "appending a name",
    arguments: [
      ("", "b", "b"), ("a", "b", "a/b"), ("a/", "b", "a/b"), ("/", "b", "/b"),
    ])
  func appending(folder: String, name: String, path: String) {
    #expect(LocalPath(folder).appending(LocalPath(name)) == LocalPath(path))
  }

  @Test func standardizesDotsOfAnAbsolutePath() {
    #expect(("/a/./b/../c" as LocalPath).standardized == "/a/c")
    #expect(("/../a" as LocalPath).standardized == "/a")
  }

  @Test("a path with a NUL names no file")
  func nul() throws {
    let folder = try TemporaryFolder()
    let file = LocalPath(try folder.write("x", to: "file"))
    #expect(file.kind == .file)
    #expect(LocalPath(bytes: file.bytes + [0] + Array("b".utf8)).kind == nil)
  }

  @Test(
    "a folder's names keep their bytes",
    .enabled(
      if: TemporaryFolder.distinguishesSpellings, "this file system takes two names for one"))
  func names() throws {
    let folder = LocalPath(TemporaryFolderPath().path)
    let names = [
      Self.composed, Self.decomposed, LocalPath(bytes: [0xFE]), LocalPath(bytes: [0xFF]),
    ]
    try folder.makeFolders()
    defer { #expect(throws: Never.self) { try folder.removeAll() } }
    for (index, name) in names.enumerated() {
      try folder.appending(name).writeNew([UInt8(index)])
    }
    #expect(try folder.names() == names.sorted())
    for (index, name) in names.enumerated() {
      #expect(try folder.appending(name).contents() == [UInt8(index)])
    }
  }

  @Test("writeNew never replaces a file")
  func writeNew() throws {
    let folder = try TemporaryFolder()
    let file = LocalPath(try folder.write("old", to: "file"))
    #expect(throws: SystemError(code: EEXIST)) { try file.writeNew(Array("new".utf8)) }
    #expect(try file.contents() == Array("old".utf8))
    try file.replace(with: Array("new".utf8))
    #expect(try file.contents() == Array("new".utf8))
    #expect(try file.contents(limit: 2) == Array("ne".utf8))
  }

  @Test("reading a missing file or a folder reports the reason")
  func failures() throws {
    let folder = try TemporaryFolder()
    #expect(throws: SystemError(code: ENOENT)) { try LocalPath(folder.path("no")).contents() }
    #expect(throws: SystemError(code: EISDIR)) { try LocalPath(folder.url.path).contents() }
    #expect(throws: SystemError(code: ENOENT)) { try LocalPath(folder.path("no")).names() }
  }
}

/// The path of a folder that doesn't exist yet. Foundation can't remove files whose names aren't UTF-8.
private struct TemporaryFolderPath {
  let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("storetool-\(UUID().uuidString)").path
}
