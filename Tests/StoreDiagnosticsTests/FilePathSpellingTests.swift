import Foundation
import StoreDiagnostics
import TestSupport
import Testing

/// Spellings of names in their folders. `FoldedNameTests` covers file systems on which a file has several spellings.
struct FilePathSpellingTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "Models/Todo.txt")
  }

  private func path(_ name: String) -> LocalPath { LocalPath(folder.path(name)) }

  @Test(
    "a path keeps its spelling if the folders have it, or if the file is missing",
    arguments: [
      "Models/Todo.txt", "Models/", "/Models//Todo.txt", "Models/../Models/./Todo.txt",
      "no/Todo.txt",
      "Models/Todo.txt/no", "",
    ])
  func sameSpelling(name: String) {
    let path: LocalPath = "\(LocalPath(folder.url.path))/\(name)"
    #expect(path.spelled == path)
  }

  @Test("a relative path stays relative")
  func relative() {
    for path in ["", ".", "./x", "../", "/"] as [LocalPath] { #expect(path.spelled == path) }
  }

  @Test("of several names of one file each keeps its spelling")
  func names() throws {
    for name in ["a", "b"] { try path("Models/Todo.txt").link(to: path("Models/\(name)")) }
    #expect(path("Models/a").spelled == path("Models/a"))
    #expect(path("Models/b").spelled == path("Models/b"))
  }

  @Test("letters of another case and other normalizations are respellings")
  func respelling() {
    #expect(("Mod\u{E8}les" as LocalPath).isRespelling(of: "MODE\u{300}LES"))
    #expect(!("Models" as LocalPath).isRespelling(of: "Model"))
    #expect(!LocalPath(bytes: [0xFF]).isRespelling(of: LocalPath(bytes: [0xFE])))
  }

  @Test("the part below a folder is found through links")
  func partBelow() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "Models")
    let models = try #require(FileIdentity(of: path("Models")))
    #expect(path("link/Todo.txt").part(below: models) == "Todo.txt")
    #expect(path("link/../Models/no/file").part(below: models) == "no/file")
    #expect(path("link").part(below: models) == "")
    #expect(path("other/Todo.txt").part(below: models) == nil)
  }
}
