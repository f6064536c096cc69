import Foundation
import PlainSQLite
import StoreDiagnostics
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout

/// Reads the histories that apps have recorded, and compares them with the rows of their tables.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusHistoryReadingTests {
  @Test(arguments: [
    "alemar11__CoreDataPlus/SampleModel2_V1.sqlite",
    "RhetTbull__osxphotos/ExternalAdjustments-14.4.1--Photos.sqlite",
    "log2timeline__plaso/NoteStore.sqlite",
  ])
  func allChangesAreReturned(_ name: String) async throws {
    let path = Corpus.store(name).path
    let store = try Store.open(LocalPath(path), .reading)
    let model = try store.read { try $0.inferredModel(named: "Inferred").model }
    let opened = PersistentStore(within: store, layout: try store.layout(for: model))
    let history = try await opened.history()
    let plain = try PlainDatabase(path, isReadOnly: true)
    let tokens = try plain.texts("SELECT Z_PK FROM ATRANSACTION ORDER BY Z_PK")
    #expect(history.map { "\($0.id.transaction)" } == tokens)
    let keys = try plain.texts(
      """
      SELECT c.ZENTITYPK FROM ACHANGE AS c JOIN ATRANSACTION AS t ON c.ZTRANSACTIONID = t.Z_PK
      ORDER BY t.Z_PK, c.Z_PK
      """)
    let changes = history.flatMap(\.changes)
    #expect(!changes.isEmpty)
    #expect(changes.map { "\($0.objectID.primaryKey)" } == keys)
    for (number, kind) in StoreHistory.Change.Kind.allCases.enumerated() {
      let count = try plain.text("SELECT count(*) FROM ACHANGE WHERE ZCHANGETYPE = \(number)")
      #expect("\(changes.count { $0.kind == kind })" == count, "\(kind)")
    }
    let half = history[history.count / 2].id
    #expect(try await opened.history(after: half) == history.filter { $0.id > half })
  }
}
