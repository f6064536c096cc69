import SampleData
import StoreModel
import StoreTestSupport
import Testing
import TestSupport

@testable import RecordFormats
@testable import StoreCore
@testable import StoreImport
@testable import StoreLayout
@testable import SQLiteAccess

/// Invalid and extreme positions in an ordered relationship. A member that is added after such a position also receives
/// a unique integer.
@Suite struct OrderPlaceTests {
  private static let damaged = [
    "9223372036854775807", "9223372036854775000", "9.3e18", "-9223372036854775808", "'first'",
    "x'00'", "NULL",
  ]

  /// Creates a box that already contains one thing, two other things, and a tag.
  private func graph(_ place: String) throws -> GraphStore {
    let made = try GraphStore()
    try made.importing(
      #"""
      {"$entity": "Thing", "key": "box", "children": [{"$entity": "Thing", "key": "cup"}]}
      {"$entity": "Thing", "key": "jar"} {"$entity": "Thing", "key": "fan"}
      {"$entity": "Tag", "key": "t", "beings": [{"$entity": "Person", "key": "Ann"}]}
      """#)
    try made.store.close()
    try made.file.edit(
      """
      UPDATE ZTHING SET Z_FOK_PARENT = \(place) WHERE ZPARENT NOT NULL;
      UPDATE Z_1TAGS SET Z_FOK_5TAGS = \(place), Z_FOK_1BEINGS = \(place)
      """)
    return try GraphStore(reopening: made)
  }

  private let children: SQL = """
    SELECT ZKEY, Z_FOK_PARENT FROM ZTHING WHERE ZPARENT NOT NULL AND ZKEY <> 'cup' ORDER BY ZKEY
    """

  @Test(arguments: damaged) func membersByAnUpdate(_ place: String) throws {
    let made = try graph(place)
    try made.update(
      "Thing", ["parent=x-coredata:///Thing/p1"], where: "key == \"jar\"")
    try made.update(
      "Thing", ["parent=x-coredata:///Thing/p1"], where: "key == \"fan\"")
    #expect(try made.rows(children) == ["'fan' 3072", "'jar' 2048"])
  }

  @Test(arguments: damaged) func membersThatAreInserted(_ place: String) throws {
    let made = try graph(place)
    let plan = try InsertPlan(entity: "Thing", in: made.layout)
    for key in ["a", "b"] {
      let record = #"{"key": "\#(key)", "parent": "x-coredata:///Thing/p1"}"#
      _ = try made.store.insert(
        MemorySource(Array(record.utf8), name: "in.json"), format: .json, by: plan, in: made.layout)
    }
    #expect(try made.rows(children) == ["'a' 2048", "'b' 3072"])
  }

  /// Pairs that are only specified from the side without the damaged order.
  @Test(arguments: damaged.filter { $0 != "NULL" }) func pairsOfTheOtherSide(_ place: String) throws
  {
    let made = try graph(place)
    try made.importing(#"{"$entity": "Tag", "key": "u", "beings": ["x-coredata:///Person/p1"]}"#)
    #expect(
      try made.rows(
        """
        SELECT j.Z_FOK_5TAGS FROM Z_1TAGS AS j JOIN ZTAG AS t ON t.Z_PK = j.Z_5TAGS WHERE t.ZKEY = 'u'
        """) == ["2048"])
  }

  @Test(arguments: damaged) func membersOfAnOwnerByItsKey(_ place: String) throws {
    let made = try GraphStore(ImportKeyTests.model)
    func importing(_ text: String, on policy: ConflictPolicy = .fail, _ made: GraphStore) throws {
      let work = try GraphImport(
        into: made.layout, store: made.store.metadata.uuid, entity: "City", rules: [], root: [],
        isStrict: true, on: policy, members: .add)
      _ = try made.store.write {
        try work.run(MemorySource(Array(text.utf8), name: "in.json"), on: $0)
      }
    }
    try importing(#"{"zip": "1", "likes": [{"name": "A"}]}"#, made)
    let pairs = try #require(made.layout.joinTables.first)
    let order = try #require(pairs.columns.first { $0.name.hasPrefix("Z_FOK_") }).name
    try made.store.close()
    try made.file.edit("UPDATE \(pairs.name) SET \(order) = \(place)")
    let edited = try GraphStore(reopening: made)
    try importing(#"{"zip": "1", "likes": [{"name": "B"}, {"name": "C"}]}"#, on: .update, edited)
    #expect(
      try edited.rows(
        "SELECT \(name: order) FROM \(name: pairs.name) ORDER BY rowid LIMIT -1 OFFSET 1")
        == ["2048", "3072"])
  }
}
