import StoreDiagnostics
import Foundation
@testable import SQLiteAccess
import TestSupport
import Testing

@testable import StoreLayout

/// Returns a carried model whose index has an unknown form.
@Suite struct CarriedModelCommandTests {
  private let folder: TemporaryFolder
  private let shell: BuiltCommand

  init() throws {
    folder = try TemporaryFolder()
    shell = BuiltCommand(in: folder.url)
    try folder.write(
      """
      <?xml version="1.0"?><model><entity name="Page"><attribute name="title" attributeType="String"/>\
      <fetchIndex name="byTitle"><fetchIndexElement property="title" type="Binary" order="ascending"/>\
      </fetchIndex></entity></model>
      """, to: "M.xml")
    let made = try shell.run(
      "storetool create S.sqlite --model M.xml && storetool insert Page title=a --model M.xml && rm M.xml"
    )
    #expect(made.status == 0, "\(made.errors)")
    try Self.renameElements(in: folder.path("S.sqlite"))
  }

  /// Renames the class of the elements of indexes.
  private static func renameElements(in path: String) throws {
    try Database(uri: "file:\(path)", path: LocalPath(path), .writing).write { connection in
      let cache = try #require(try connection.modelCache())
      let archive = Data(try ModelCache.decompressed(cache))
      let name = Data("NSFetchIndexElementDescription".utf8)
      let range = try #require(archive.range(of: name))
      var changed = archive
      changed[range.lowerBound] = UInt8(ascii: "X")
      let content = try ModelCache.compressed(Array(changed))
      try connection.run("UPDATE Z_MODELCACHE SET Z_CONTENT = \(value: .blob(content))")
    }
  }

  @Test func isUsedWithoutTheIndex() throws {
    let info = try shell.run("storetool info --format json")
    #expect(info.output.contains(#""ownModel": "carried""#))
    let rows = try shell.run("storetool fetch Page")
    #expect(rows.output == "{\"title\":\"a\"}\n")
    #expect(
      rows.errors.contains(
        "warning: the model in the store is used without 2 of its parts, which can't be read;"
          + " neither version hashes nor rows depend on them [model.carried-parts]"))
    let check = try shell.run("storetool model check S.sqlite")
    #expect(check.status == 0)
    #expect((check.output + check.errors).contains("the index 'byTitle' of 'Page' is omitted"))
  }
}
