import StoreDiagnostics
import Foundation
import SampleData
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing
import TestSupport

@testable import RecordFormats
@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreImport
@testable import StoreLayout

/// Writes to a copy of a real store with triggers and a history. The store must remain consistent.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusHistoryTests {
  /// The part of the store's model that can be derived from its tables.
  static let model = DataModel(
    name: "Books",
    entities: [
      EntityDescription(
        name: "Book",
        attributes: [
          AttributeDescription(
            name: "pagesCount", type: .integer32,
            derivation: FormatExpression(
              .keyPath(
                base: FormatExpression(.selfObject),
                [KeyPathStep(.key("pages")), KeyPathStep(.collection(.count))]))),
          AttributeDescription(name: "title", type: .string),
          AttributeDescription(name: "uniqueID", type: .uuid),
        ],
        relationships: [
          RelationshipDescription(name: "author", destination: "Author", inverse: "books"),
          SampleModels.toMany("pages", "Page", inverse: "book"),
        ]),
      EntityDescription(name: "GraphicNovel", parent: "Book"),
      EntityDescription(
        name: "Feedback", attributes: [AttributeDescription(name: "comment", type: .string)]),
      EntityDescription(
        name: "Page", attributes: [AttributeDescription(name: "number", type: .integer32)],
        relationships: [
          RelationshipDescription(name: "book", destination: "Book", inverse: "pages")
        ]),
      EntityDescription(
        name: "Writer", attributes: [AttributeDescription(name: "age", type: .integer16)]),
      EntityDescription(
        name: "Author", parent: "Writer",
        attributes: [AttributeDescription(name: "alias", type: .string)],
        relationships: [SampleModels.toMany("books", "Book", inverse: "author")]),
    ])

  @Test(arguments: ["SampleModel2_V1.sqlite", "SampleModel2_V2.sqlite"])
  func historyReadsBack(_ name: String) throws {
    let folder = try TemporaryFolder()
    let source = Corpus.store("alemar11__CoreDataPlus/\(name)")
    try FileManager.default.copyItem(atPath: source.path, toPath: folder.path(name))
    let store = try Store.open(LocalPath(folder.path(name)), .writing)
    let layout = try store.layout(for: Self.model)
    let before = try store.read { try ($0.historyKeys(), $0.pagesOfFirstBook()) }
    let work = try GraphImport(
      into: layout, store: store.metadata.uuid, entity: nil, rules: [], root: [], isStrict: true)
    _ = try store.write {
      try work.run(
        MemorySource(
          """
          {"$entity": "Page", "number": 1000, "book": "x-coredata:///Book/p1"}
          {"$entity": "Feedback", "comment": "new"}
          """), on: $0)
    }
    let after = try store.read { connection in
      #expect(try connection.changes(in: before.0.transaction + 1, of: layout).count == 3)
      #expect(try connection.integer(Self.strays(in: layout)) == 0)
      #expect(
        try connection.integer(
          "SELECT count(*) FROM ACHANGE WHERE (ZCHANGETYPE = 1) <> (ZCOLUMNS NOT NULL)") == 0)
      #expect(
        try connection.rows(
          "SELECT quote(ZCOLUMNS) FROM ACHANGE WHERE ZCHANGETYPE = 1 AND length(ZCOLUMNS) <> 1")
          == [])
      return try (connection.historyKeys(), connection.pagesOfFirstBook())
    }
    #expect(after.0.change == before.0.change + 3)
    #expect(after.0.transaction == before.0.transaction + 1)
    #expect(after.0.counters == [after.0.change, after.0.transaction, after.0.strings])
    #expect(after.1 == before.1 + 1, "the triggers ran")
  }

  /// Returns the changes of this transaction whose rows don't exist.
  private static func strays(in layout: StoreLayout) -> SQL {
    let rows = layout.tables.map { table -> SQL in
      "SELECT Z_ENT, Z_PK FROM \(name: table.name)"
    }.joined(" UNION ALL ")
    return """
      SELECT count(*) FROM ACHANGE WHERE ZTRANSACTIONID = (SELECT max(Z_PK) FROM ATRANSACTION) \
      AND (ZENTITY, ZENTITYPK) NOT IN (\(rows))
      """
  }
}

private struct HistoryKeys {
  var change: Int64
  var transaction: Int64
  var strings: Int64
  var counters: [Int64]
}

extension Connection {
  fileprivate func historyKeys() throws -> HistoryKeys {
    HistoryKeys(
      change: try integer("SELECT max(Z_PK) FROM ACHANGE"),
      transaction: try integer("SELECT max(Z_PK) FROM ATRANSACTION"),
      strings: try integer("SELECT max(Z_PK) FROM ATRANSACTIONSTRING"),
      counters: try HistoryEntity.allCases.map {
        try integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(value: .integer($0.rawValue))")
      })
  }

  fileprivate func pagesOfFirstBook() throws -> Int64 {
    try integer("SELECT ZPAGESCOUNT FROM ZBOOK WHERE Z_PK = 1")
  }
}
