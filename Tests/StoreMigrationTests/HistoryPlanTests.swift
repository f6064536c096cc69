import StoreDiagnostics
import SeededRandom
import SQLiteAccess
import StoreCore
import StoreLayout
import StoreMigration
import StoreModel
import Testing

/// After a migration, the history contains the same changes as before, with the target's entities and properties.
@Suite struct HistoryPlanTests {
  private static func store(_ model: DataModel, tombstones: Int = 0) throws -> MigrationStore {
    let store = try MigrationStore(model)
    try store.run(
      """
      CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
      ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB)
      """,
      """
      CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT, Z_OPT, ZTIMESTAMP, ZAUTHOR, \
      ZBUNDLEID, ZCONTEXTNAME, ZPROCESSID)
      """)
    for number in 0..<tombstones {
      try store.run("ALTER TABLE ACHANGE ADD COLUMN \(name: "ZTOMBSTONE\(number)") BLOB")
    }
    return store
  }

  private static func migrate(_ store: MigrationStore, to target: DataModel, _ move: EntityMove)
    throws
  {
    let steps = MigrationBookkeeping(
      from: store.layout, to: StoreLayout(model: target), moves: [move], in: try store.schema()
    ).steps
    let opened = try Store.open(LocalPath(store.path), .writing)
    try opened.write { connection in for step in steps { try connection.run(step.sql) } }
    try opened.close()
  }

  private static func model(_ entity: String, _ attributes: [AttributeDescription]) -> DataModel {
    DataModel(name: "M", entities: [EntityDescription(name: entity, attributes: attributes)])
  }

  private static func attribute(_ name: String, isPreserved: Bool = false) -> AttributeDescription {
    AttributeDescription(
      name: name, type: .string, isOptional: true, isPreservedAfterDeletion: isPreserved)
  }

  /// Added, removed and renamed properties, compared with the same translation in Swift.
  @Test(arguments: 1...40 as ClosedRange<UInt64>) func masksFollowTheirProperties(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let names = (0..<30).map { "\(["a", "m", "z"].randomElement(using: &random) ?? "")\($0)" }
    let old = Array(names.shuffled(using: &random).prefix(.random(in: 1...30, using: &random)))
    // Kept properties, some of them renamed, and new ones.
    var sources: [String: Set<String>] = [:]
    var new: [String] = []
    for name in old where Bool.random(using: &random) {
      let isRenamed = Int.random(in: 0..<4, using: &random) == 0
      new.append(isRenamed ? "r\(name)" : name)
      if isRenamed { sources["r\(name)"] = [name] }
    }
    for number in 0..<Int.random(in: 0...9, using: &random) { new.append("n\(number)") }
    // A new property with the name of a removed one.
    if let gone = old.first(where: { !new.contains($0) && !sources.values.contains([$0]) }) {
      new.append(gone)
      sources[gone] = []
    }
    let store = try Self.store(Self.model("Item", old.map { Self.attribute($0) }))
    let before = ChangedProperties(of: store.model.entities[0], in: store.model)
    let changes = (1...20).map { _ in old.filter { _ in Bool.random(using: &random) } }
    for (index, change) in changes.enumerated() {
      try store.run(
        """
        INSERT INTO ACHANGE (Z_PK, ZCHANGETYPE, ZENTITY, ZCOLUMNS) \
        VALUES (\(value: .integer(Int64(index))), 1, 1, \(value: .blob(before.mask(of: change))))
        """)
    }
    try store.run("INSERT INTO ACHANGE (Z_PK, ZCHANGETYPE, ZENTITY) VALUES (99, 0, 1)")
    let target = Self.model("Item", new.map { Self.attribute($0) })
    try Self.migrate(store, to: target, EntityMove(from: "Item", to: "Item", properties: sources))
    let after = ChangedProperties(of: target.entities[0], in: target)
    let wanted = changes.map { change in
      after.mask(
        of: new.filter { name in !sources[name, default: [name]].isDisjoint(with: change) })
    }
    let found = try store.rows("SELECT ZCOLUMNS, typeof(ZCOLUMNS) FROM ACHANGE ORDER BY Z_PK")
    #expect(found == wanted.map { [.blob($0), "blob"] } + [[.null, "null"]], "seed \(seed)")
  }

  @Test func valuesOfDeletedRowsFollowTheirAttributes() throws {
    let old = Self.model("Item", ["a", "c", "e"].map { Self.attribute($0, isPreserved: true) })
    let store = try Self.store(old, tombstones: 3)
    try store.run(
      """
      INSERT INTO ACHANGE (Z_PK, ZCHANGETYPE, ZENTITY, ZTOMBSTONE0, ZTOMBSTONE1, ZTOMBSTONE2) \
      VALUES (1, 2, 1, 'A', 'C', 'E'), (2, 2, 7, 'x', 'y', 'z')
      """)
    // `a` is removed, `c` is renamed to `x`, and two attributes are new.
    let target = Self.model(
      "Thing", ["b", "d", "e", "x"].map { Self.attribute($0, isPreserved: true) })
    try store.run("ALTER TABLE ZITEM RENAME TO ZTHING")
    try Self.migrate(
      store, to: target, EntityMove(from: "Item", to: "Thing", properties: ["x": ["c"]]))
    #expect(
      try store.rows(
        "SELECT ZTOMBSTONE0, ZTOMBSTONE1, ZTOMBSTONE2, ZTOMBSTONE3 FROM ACHANGE ORDER BY Z_PK")
        == [[.null, .null, "E", "C"], ["x", "y", "z", .null]])
  }

  /// A store without enough tombstone columns.
  @Test func columnsThatWereNeverThereHoldNothing() throws {
    let old = Self.model("Item", ["a", "c"].map { Self.attribute($0, isPreserved: true) })
    let store = try Self.store(old, tombstones: 1)
    try store.run(
      "INSERT INTO ACHANGE (Z_PK, ZCHANGETYPE, ZENTITY, ZTOMBSTONE0) VALUES (1, 2, 1, 'A')")
    let target = Self.model("Item", [Self.attribute("c", isPreserved: true)])
    try Self.migrate(store, to: target, EntityMove(from: "Item", to: "Item"))
    #expect(try store.rows("SELECT ZTOMBSTONE0 FROM ACHANGE") == [[.null]])
  }

  @Test func whatKeepsItsPlaceIsNotWritten() throws {
    let old = Self.model("Item", [Self.attribute("a", isPreserved: true), Self.attribute("b")])
    let store = try Self.store(old, tombstones: 1)
    let target = Self.model(
      "Item", [Self.attribute("a", isPreserved: true), Self.attribute("b", isPreserved: true)])
    let steps = MigrationBookkeeping(
      from: store.layout, to: StoreLayout(model: target),
      moves: [EntityMove(from: "Item", to: "Item")], in: try store.schema()
    ).steps
    #expect(
      steps.map(\.purpose) == [
        "adds a history column for values of deleted rows",
        "removes the old version's compiled model",
      ])
  }

  /// Real stores contain such bits. `z` is last, so the other properties keep their positions.
  @Test func bitsPastTheLastPropertyAreNotThoseOfANewOne() throws {
    let store = try Self.store(Self.model("Item", ["a", "b"].map { Self.attribute($0) }))
    try store.run(
      """
      INSERT INTO ACHANGE (Z_PK, ZCHANGETYPE, ZENTITY, ZCOLUMNS) VALUES \
      (1, 1, 1, x'60'), (2, 1, 1, x'90'), (3, 1, 7, x'60'), (4, 1, 1, x''), (5, 1, 1, NULL)
      """)
    let target = Self.model("Item", ["a", "b", "z"].map { Self.attribute($0) })
    try Self.migrate(store, to: target, EntityMove(from: "Item", to: "Item"))
    #expect(
      try store.rows("SELECT hex(ZCOLUMNS) FROM ACHANGE ORDER BY Z_PK")
        == [["40"], ["90"], ["60"], [""], [""]])
  }

  /// Masks that Core Data doesn't write are read byte by byte too, as `storetool history` does.
  @Test func masksOfAnyLengthAndTypeAreTranslated() throws {
    let names = (0..<12).map { "p\($0 + 10)" }
    let store = try Self.store(Self.model("Item", names.map { Self.attribute($0) }))
    try store.run(
      """
      INSERT INTO ACHANGE (Z_PK, ZCHANGETYPE, ZENTITY, ZCOLUMNS) VALUES (1, 1, 1, x''), \
      (2, 1, 1, ''), (3, 1, 1, x'80'), (4, 1, 1, x'8010FF'), (5, 1, 1, 'A'), (6, 1, 1, NULL)
      """)
    let target = Self.model("Item", (["a"] + names).map { Self.attribute($0) })
    try Self.migrate(store, to: target, EntityMove(from: "Item", to: "Item"))
    #expect(
      try store.rows("SELECT quote(ZCOLUMNS) FROM ACHANGE ORDER BY Z_PK")
        == [["X'0000'"], ["X'0000'"], ["X'4000'"], ["X'4008'"], ["X'2080'"], ["NULL"]])
  }

  @Test func aCompositeOfSeveralPropertiesIsChangedWithEach() throws {
    let store = try Self.store(Self.model("Item", ["a", "b", "c"].map { Self.attribute($0) }))
    try store.run(
      """
      INSERT INTO ACHANGE (Z_PK, ZCHANGETYPE, ZENTITY, ZCOLUMNS) VALUES \
      (1, 1, 1, x'80'), (2, 1, 1, x'40'), (3, 1, 1, x'20'), (4, 1, 1, x'E0')
      """)
    try Self.migrate(
      store, to: Self.model("Item", ["b", "x"].map { Self.attribute($0) }),
      EntityMove(from: "Item", to: "Item", properties: ["x": ["a", "c"]]))
    #expect(
      try store.rows("SELECT hex(ZCOLUMNS) FROM ACHANGE ORDER BY Z_PK")
        == [["40"], ["80"], ["40"], ["C0"]])
  }

  /// Row 1 moved to Left, row 2 to Aside and row 3 to both. Row 4 was deleted before the migration.
  @Test func changesOfASplitEntityFollowTheirRows() throws {
    let old = Self.model("Item", ["a", "m"].map { Self.attribute($0, isPreserved: true) })
    let store = try Self.store(old, tombstones: 2)
    try store.run(
      """
      INSERT INTO ACHANGE (Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS, ZTOMBSTONE0, ZTOMBSTONE1) \
      VALUES (1, 1, 1, 1, x'C0', NULL, NULL), (2, 1, 1, 2, x'C0', NULL, NULL), \
      (3, 1, 1, 3, x'C0', NULL, NULL), (4, 1, 1, 4, x'C0', NULL, NULL), (5, 2, 1, 4, NULL, 'A', 'M')
      """)
    let target = DataModel(
      name: "M",
      entities: [
        EntityDescription(
          name: "Left", attributes: ["0", "a"].map { Self.attribute($0, isPreserved: true) }),
        // Its number equals the old entity's number, so changes must not be translated twice.
        EntityDescription(name: "Aside", attributes: [Self.attribute("m"), Self.attribute("x")]),
      ])
    try store.run(
      "ALTER TABLE ZITEM RENAME TO ZLEFT", "CREATE TABLE ZASIDE (Z_PK INTEGER PRIMARY KEY, Z_ENT)",
      "INSERT INTO ZLEFT (Z_PK, Z_ENT) VALUES (1, 2), (3, 2)",
      "INSERT INTO ZASIDE (Z_PK, Z_ENT) VALUES (12, 1), (13, 1)")
    let steps = MigrationBookkeeping(
      from: store.layout, to: StoreLayout(model: target),
      moves: [
        EntityMove(from: "Item", to: "Left", properties: ["0": []]),
        EntityMove(from: "Item", to: "Aside", keyOffset: "10", properties: ["x": ["a"]]),
      ], in: try store.schema()
    ).steps
    let opened = try Store.open(LocalPath(store.path), .writing)
    try opened.write { connection in for step in steps { try connection.run(step.sql) } }
    try opened.close()
    #expect(
      try store.rows(
        """
        SELECT ZENTITY || ' ' || ZENTITYPK || ' ' || ifnull(hex(ZCOLUMNS), '') || ' ' \
        || ifnull(ZTOMBSTONE0, '') || ' ' || ifnull(ZTOMBSTONE1, '') FROM ACHANGE ORDER BY Z_PK
        """) == [["2 1 40  "], ["1 12 C0  "], ["2 3 40  "], ["2 4 40  "], ["2 4   A"]])
  }

  @Test func mappingsSayWhatPropertiesWere() {
    let mapping = EntityMapping(
      from: "Item", to: "Item",
      attributes: [
        "same": AttributeOrigin(.attribute("same")), "new": .nothing,
        "title": AttributeOrigin(.attribute("name")),
        "place.city": AttributeOrigin(.attribute("address.town")),
        "place.zip": .nothing, "address.zip": .nothing,
        "home.city": AttributeOrigin(.attribute("home.city")),
        "home.zip": AttributeOrigin(.attribute("zip")), "home.street": .nothing,
      ],
      relationships: ["owner": .relationship("person"), "tags": .nothing])
    let sources: [String: Set<String>] = [
      "new": [], "title": ["name"], "place": ["address"], "address": [], "home": ["home", "zip"],
      "owner": ["person"], "tags": [],
    ]
    #expect(mapping.propertySources == sources)
  }
}
