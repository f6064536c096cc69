import SQLiteAccess
import StoreDiagnostics
import Testing
import TestSupport

@testable import StoreLayout

/// The errors for files that aren't stores and for stores that can't be used.
struct StoreErrorWordingTests {
  private static let twins = NameTwins(first: "caf\u{E9}", second: "cafe\u{301}")

  @Test func everyErrorExplainsItself() {
    let path: LocalPath = "Todo.sqlite"
    let errors: [any DiagnosableError] = [
      DatabaseError.notFound(path: path), DatabaseError.isFolder(path: path),
      DatabaseError.noPermission(path: path),
      DatabaseError.notADatabase(path: path), StoreLayoutError.notAStore(path: path),
      DatabaseError.damaged(path: path, message: "database disk image is malformed"),
      DatabaseError.needsRecovery(path: path), DatabaseError.locked(path: path),
      DatabaseError.diskFull(path: path), DatabaseError.outOfMemory(path: path),
      DatabaseError.readOnly(path: path),
      DatabaseError.inputOutput(path: path, message: "disk I/O error"),
      DatabaseError.exists(path: path), DatabaseError.exists(path: "\(path)-journal"),
      DatabaseError.folderMissing(path: path),
      StoreLayoutError.copyDiffers(path: path, .metadata),
      StoreLayoutError.copyDiffers(path: path, .rows(table: "ZITEM", store: 4, copy: 3)),
      StoreLayoutError.copyDiffers(path: path, .rows(table: "ZITEM", store: 4, copy: nil)),
      StoreLayoutError.copyDiffers(path: path, .rows(table: "ZITEM", store: nil, copy: 3)),
      StoreLayoutError.unknownHistory(path: path, table: "ACHANGE", column: "ZENTITY"),
      StoreLayoutError.noHistory(path: path),
      StoreLayoutError.twinNames(path: path, kind: .table, owner: nil, Self.twins),
      StoreLayoutError.twinNames(path: path, kind: .column, owner: "ZITEM", Self.twins),
      StoreLayoutError.twinNames(path: path, kind: .entity, owner: nil, Self.twins),
      StoreLayoutError.foreignTrigger(path: path, name: "ON_INSERT", table: "ZITEM"),
      StoreLayoutError.triggerFunction(
        path: path, name: "Z_DA_ZITEM_Item_rank", function: "RANK_OF"),
      StoreLayoutError.unknownVersion(
        path: path,
        VersionGap(
          closest: "'Todo 2'",
          differences: [.changed("Item"), .onlyInModel("List"), .onlyInStore("Tag")],
          asIn: ["Item": "'Todo'"], verdict: .newer)),
      StoreLayoutError.unknownVersion(
        path: path, VersionGap(closest: nil, differences: [], verdict: .noModel)),
      StoreLayoutError.incomplete(
        path: path,
        lacks: [
          .table("ZITEM", entity: "Item", instead: nil), .column("ZNAME", table: "ZLIST"),
          .table("ZTAG", entity: "Tag", instead: .view),
          .number(3, entity: "Note", table: "ZNOTE", isRoot: true),
          .primaryKey(["Z_2TAGS", "Z_3ITEMS"], table: "Z_2TAGS"),
        ]),
      StoreLayoutError.incomplete(
        path: path,
        lacks: [
          .companion(OmittedColumn(table: "ZITEM", column: "Z_FOK_LIST", key: "ZLIST")),
          .index(
            IndexLayout(
              name: "Z_Item_UNIQUE_name", isUnique: true,
              columns: [.init(name: "ZNAME", isAscending: true)]), table: "ZITEM"),
        ]),
      StoreLayoutError.unreadableTable(
        path: path, name: "docs", message: "no such module: icu"),
      DatabaseError.constraint(
        path: path, message: "UNIQUE constraint failed: ZTEAM.ZNAME"),
      DatabaseError.cancelled,
      DatabaseError.tooComplex(message: "parser stack overflow"),
      DatabaseError.tooComplex(message: "too many terms in ORDER BY clause"),
      DatabaseError.tooComplex(message: "too many columns on ZITEM"),
      DatabaseError.tooComplex(message: "LIKE or GLOB pattern too complex"),
      DatabaseError.emptyBesideJournal(path: path, journal: "\(path)-wal", bytes: 8272),
      DatabaseError.atomicStore(path: path, .xml), DatabaseError.atomicStore(path: path, .binary),
      DatabaseError.sql(path: path, code: 1, message: "no such table: ZX"),
    ]
    let text = errors.flatMap(\.diagnostics).map { diagnostic in
      (["\(diagnostic.cause): \(diagnostic.message) [\(diagnostic.code)]"]
        + diagnostic.help.map { "  help: \($0)" }).joined(separator: "\n") + "\n"
    }.joined()
    Golden.expect(text, matches: "store-errors.txt")
  }
}
