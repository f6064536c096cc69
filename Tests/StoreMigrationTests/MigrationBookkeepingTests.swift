import StoreDiagnostics
import SQLiteAccess
import StoreLayout
import StoreCore
import StoreMigration
import StoreModel
import Testing

@Suite struct MigrationBookkeepingTests {
  private static func model(_ entities: (name: String, parent: String?)...) -> DataModel {
    DataModel(
      name: "M", entities: entities.map { EntityDescription(name: $0.name, parent: $0.parent) })
  }

  /// Animal with its sub-entities Cat and Dog, and Zebra.
  private let old = model(("Animal", nil), ("Cat", "Animal"), ("Dog", "Animal"), ("Zebra", nil))

  @discardableResult
  private func bookkeep(
    _ store: MigrationStore, to target: DataModel, _ moves: [EntityMove]
  ) throws -> [MigrationStep] {
    let steps = MigrationBookkeeping(
      from: store.layout, to: StoreLayout(model: target), moves: moves, in: try store.schema()
    ).steps
    let opened = try Store.open(LocalPath(store.path), .writing)
    try opened.write { connection in for step in steps { try connection.run(step.sql) } }
    try opened.close()
    return steps
  }

  private func numbers(_ store: MigrationStore) throws -> [[SQLiteValue]] {
    try store.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
  }

  @Test func numbersAsAFreshStoreHasThem() throws {
    let store = try MigrationStore(old)
    try store.run(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 70 WHERE Z_NAME = 'Animal'",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_NAME = 'Zebra'",
      "INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 9)",
      "CREATE TABLE ZBEAST (Z_PK INTEGER PRIMARY KEY)",
      "CREATE TABLE ZAARDVARK (Z_PK INTEGER PRIMARY KEY)",
      "INSERT INTO ZZEBRA (Z_PK) VALUES (8)")
    // Animal is renamed to Beast, Dog is removed, and Aardvark is new.
    let target = Self.model(
      ("Aardvark", nil), ("Beast", nil), ("Cat", "Beast"), ("Zebra", nil))
    try bookkeep(
      store, to: target,
      [
        EntityMove(from: "Animal", to: "Beast"), EntityMove(from: "Cat", to: "Cat"),
        EntityMove(from: "Zebra", to: "Zebra"),
      ])
    #expect(
      try numbers(store) == [
        [1, "Aardvark", 0, 0], [2, "Beast", 0, 70], [3, "Cat", 2, 0],
        // The counter was lower than a key in use.
        [4, "Zebra", 0, 8], [16001, "CHANGE", 0, 9],
      ])
  }

  @Test func whatIsRightAlreadyStays() throws {
    let store = try MigrationStore(old)
    let same = old.entities.map { EntityMove(from: $0.name, to: $0.name) }
    let steps = try bookkeep(store, to: old, same)
    #expect(steps.map(\.purpose) == ["removes the old version's compiled model"])
  }

  @Test func historyFollowsItsRows() throws {
    let store = try MigrationStore(old)
    try store.run(
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, \
      ZTRANSACTIONID, ZCOLUMNS)
      """,
      """
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZTIMESTAMP, ZAUTHOR, \
      ZBUNDLEID, ZCONTEXTNAME, ZPROCESSID)
      """,
      "CREATE TABLE ZAARDVARK (Z_PK INTEGER PRIMARY KEY)",
      """
      INSERT INTO ACHANGE (Z_PK, ZENTITY, ZENTITYPK) VALUES (1, 1, 10), (2, 2, 11), (3, 3, 12), \
      (4, 4, 13)
      """)
    // Dog is removed. The zebras become animals, and their keys follow the animals' keys.
    let target = Self.model(("Aardvark", nil), ("Animal", nil), ("Cat", "Animal"))
    try bookkeep(
      store, to: target,
      [
        EntityMove(from: "Animal", to: "Animal"), EntityMove(from: "Cat", to: "Cat"),
        EntityMove(from: "Zebra", to: "Animal", keyOffset: "100"),
      ])
    #expect(
      try store.rows("SELECT Z_PK, ZENTITY, ZENTITYPK FROM ACHANGE ORDER BY Z_PK")
        == [[1, 2, 10], [2, 3, 11], [4, 2, 113]])
    #expect(try store.rows("SELECT count(*) FROM Z_MODELCACHE") == [[0]])
  }

  @Test func metadataKeepsWhatIsNotTheModels() throws {
    let store = try MigrationStore(old)
    var metadata = try store.metadata()
    metadata.entries["app's own"] = .string("kept")
    metadata[.frameworkVersion] = .integer(641)
    let target = Self.model(("Animal", nil))
    let step = try MigrationBookkeeping.metadataStep(
      from: metadata, to: ModelFingerprint(of: target))
    try store.run(step.sql)
    let new = try store.metadata()
    let fresh = StoreMetadata(for: ModelFingerprint(of: target))
    #expect(new.uuid == metadata.uuid)
    #expect(new.applicationEntries == ["app's own": .string("kept")])
    for key in StoreMetadata.Key.allCases { #expect(new[key] == fresh[key], "\(key)") }
  }
}
