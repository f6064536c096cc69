import StoreDiagnostics
import SampleData
import StoreModel
import Testing

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout
@testable import StoreVerification

/// A join table with a name that apps don't use.
@Suite struct JoinTableNameRepairTests {
  private func store() throws -> AlteredStore {
    func toMany(_ name: String, _ destination: String, inverse: String, ordered: Bool)
      -> RelationshipDescription
    {
      RelationshipDescription(
        name: name, destination: destination, inverse: inverse,
        cardinality: .toMany(ordered: ordered), isOptional: true)
    }
    let model = DataModel(
      name: "Pair",
      entities: [
        EntityDescription(
          name: "Aaa",
          attributes: [AttributeDescription(name: "name", type: .string, isOptional: true)],
          relationships: [toMany("bbbs", "Bbb", inverse: "aaas", ordered: true)]),
        EntityDescription(
          name: "Bbb", relationships: [toMany("aaas", "Aaa", inverse: "bbbs", ordered: false)]),
        EntityDescription(name: "Ccc", parent: "Bbb"),
      ])
    return try AlteredStore(
      model,
      """
      {"$entity": "Aaa", "name": "a", "bbbs": [{"$entity": "Ccc"}, {"$entity": "Bbb"}]}
      {"$entity": "Aaa", "name": "b", "bbbs": [{"$entity": "Bbb"}]}
      """)
  }

  /// The table as earlier versions of storetool created it.
  private let old = """
    CREATE TABLE Z_1BBBS ( Z_1AAAS INTEGER, Z_2BBBS INTEGER, Z_FOK_2BBBS INTEGER, PRIMARY KEY (Z_1AAAS, Z_2BBBS) );
    INSERT INTO Z_1BBBS SELECT Z_1AAAS, Z_2BBBS, Z_FOK_2BBBS FROM Z_2AAAS;
    DROP TABLE Z_2AAAS;
    CREATE INDEX Z_1BBBS_Z_2BBBS_INDEX ON Z_1BBBS (Z_2BBBS, Z_1AAAS);
    """
  private let message =
    "apps don't find the join table Z_1BBBS, because they expect the name Z_2AAAS"

  private func catalogue(_ copy: AlteredStore.Copy) throws -> Set<[String]> {
    Set(
      try Store.open(LocalPath(copy.path), .reading).read {
        try $0.rows("SELECT name, sql FROM sqlite_master")
      }.map { $0.map(\.shown) })
  }

  private func repair(_ copy: AlteredStore.Copy) throws -> [String] {
    let (store, layout) = try copy.writing()
    defer { try? store.close() }
    let planned = try store.repairable(in: layout)
    let outcome = try store.repair(in: layout)
    #expect(outcome == planned)
    return outcome.repaired.map(\.message)
  }

  @Test func aTableOfTheOldNameIsReadAndWritten() throws {
    let whole = try store().altered("")
    let copy = try store().altered(old)
    #expect(
      try copy.exported().replacing(uuid(copy), with: "")
        == whole.exported().replacing(uuid(whole), with: ""))
    #expect(try copy.findings() == ["error verify.misnamed-table \(message)"])
    try copy.importing(#"{"$entity": "Aaa", "name": "c", "bbbs": [{"$entity": "Ccc"}]}"#)
    #expect(try copy.findings() == ["error verify.misnamed-table \(message)"])
  }

  private func uuid(_ copy: AlteredStore.Copy) throws -> String {
    try Store.open(LocalPath(copy.path), .reading).metadata.uuid
  }

  @Test func aRepairGivesTheTableItsUsualName() throws {
    let store = try store()
    let whole = try store.altered("")
    let copy = try store.altered(old)
    #expect(try repair(copy) == [message])
    #expect(try copy.findings() == [])
    #expect(try copy.exported() == whole.exported())
    #expect(try catalogue(copy) == catalogue(whole))
  }

  @Test func aLostOrderColumnComesBackInTheRenamedTable() throws {
    let copy = try store().altered(old + "ALTER TABLE Z_1BBBS DROP COLUMN Z_FOK_2BBBS")
    #expect(try repair(copy) == [message, "Z_1BBBS has no column Z_FOK_2BBBS"])
    #expect(
      try copy.findings() == [
        "warning verify.missing-place 'Aaa.bbbs': 3 members without a position in the order"
      ])
  }

  /// Copying the table would lose an app's additions.
  @Test(arguments: [
    "ALTER TABLE Z_1BBBS ADD COLUMN MINE",
    "CREATE TRIGGER mine AFTER INSERT ON Z_1BBBS BEGIN SELECT 1; END",
    "CREATE VIEW Z_2AAAS AS SELECT 1",
  ])
  func whatAnAppHasAddedKeepsTheName(_ sql: String) throws {
    let copy = try store().altered(old + sql)
    let before = try catalogue(copy)
    #expect(try repair(copy) == [])
    #expect(try catalogue(copy) == before)
  }
}
