import StoreDiagnostics
import SQLiteAccess
import StoreModel
import Testing

@testable import StoreLayout

@Suite struct RTreeLayoutTests {
  private func model(_ components: String, parent: Bool = false) -> DataModel {
    let attributes = [
      AttributeDescription(name: "latitude", type: .double),
      AttributeDescription(name: "longitude", type: .double),
      AttributeDescription(name: "draft", type: .double, isTransient: true),
    ]
    let rect = AttributeDescription(
      name: "rect", type: .undefined, isOptional: true, isTransient: true,
      userInfo: ["_NSLocationAttributeDerivedComponents": components])
    guard parent else {
      return DataModel(
        name: "M", entities: [EntityDescription(name: "Spot", attributes: attributes + [rect])])
    }
    return DataModel(
      name: "M",
      entities: [
        EntityDescription(name: "Place", attributes: attributes),
        EntityDescription(name: "Spot", parent: "Place", attributes: [rect]),
      ])
  }

  /// The texts are equal to those in stores of Photos, except for the names.
  @Test func textsAreThoseOfCoreData() {
    let tree = StoreLayout(model: model("latitude, longitude")).rTrees[0]
    #expect(
      ([tree.sql] + tree.triggers.map(\.sql)).map(\.literalText) == [
        "CREATE VIRTUAL TABLE Z_RT_Spot_rect USING RTREE (Z_PK INTEGER PRIMARY KEY,"
          + " ZLATITUDE_MIN FLOAT, ZLATITUDE_MAX FLOAT, ZLONGITUDE_MIN FLOAT, ZLONGITUDE_MAX FLOAT)",
        "CREATE TRIGGER Z_RT_Spot_rect_INSERT AFTER INSERT ON ZSPOT FOR EACH ROW BEGIN"
          + " INSERT OR REPLACE INTO Z_RT_Spot_rect (Z_PK, ZLATITUDE_MIN, ZLATITUDE_MAX,"
          + " ZLONGITUDE_MIN, ZLONGITUDE_MAX) VALUES (NEW.Z_PK, NEW.ZLATITUDE ,NEW.ZLATITUDE,"
          + " NEW.ZLONGITUDE, NEW.ZLONGITUDE) ; END",
        "CREATE TRIGGER Z_RT_Spot_rect_UPDATE AFTER UPDATE ON ZSPOT FOR EACH ROW BEGIN"
          + " DELETE FROM Z_RT_Spot_rect WHERE Z_PK = NEW.Z_PK ;"
          + " INSERT INTO Z_RT_Spot_rect (Z_PK, ZLATITUDE_MIN, ZLATITUDE_MAX, ZLONGITUDE_MIN,"
          + " ZLONGITUDE_MAX) VALUES (NEW.Z_PK, NEW.ZLATITUDE ,NEW.ZLATITUDE, NEW.ZLONGITUDE,"
          + " NEW.ZLONGITUDE) ; END",
        "CREATE TRIGGER Z_RT_Spot_rect_DELETE AFTER DELETE ON ZSPOT FOR EACH ROW BEGIN"
          + " DELETE FROM Z_RT_Spot_rect WHERE Z_PK = OLD.Z_PK ; END",
      ])
  }

  @Test func inheritedAttributesHaveTheirColumns() {
    let tree = StoreLayout(model: model("longitude,latitude", parent: true)).rTrees
    #expect(
      tree == [
        RTreeLayout(
          name: "Z_RT_Spot_rect", table: "ZPLACE", columns: ["ZLONGITUDE", "ZLATITUDE"])
      ])
  }

  @Test(arguments: ["latitude, height", "latitude, draft", "", "latitude, latitude"])
  func withoutStoredAttributesThereIsNone(_ components: String) {
    let layout = StoreLayout(model: model(components))
    #expect(layout.rTrees == [])
    #expect(
      layout.risks == [
        "the R-tree of 'Spot.rect' is omitted: '\(components)' isn't a list of one to five stored"
          + " attributes"
      ])
  }

  /// A store can have an R-tree that the model doesn't contain. An inferred model never contains one.
  @Test func findsThoseOfAStore() throws {
    let whole = StoreLayout(model: model("latitude, longitude"))
    let schema = try Database(uri: ":memory:", path: ":memory:", .writing).write { connection in
      for statement in whole.statements { try connection.define(statement) }
      try connection.define("CREATE VIRTUAL TABLE OWN USING RTREE (Z_PK, A_MIN, A_MAX)")
      try connection.define("CREATE VIRTUAL TABLE Z_RT_Spot_odd USING RTREE (Z_PK, A, B)")
      return try connection.schema()
    }
    var bare = model("latitude, longitude")
    bare = DataModel(
      name: "M",
      entities: bare.entities.map { entity in
        EntityDescription(
          name: entity.name, attributes: entity.attributes.filter { $0.name != "rect" })
      })
    let found = StoreLayout(model: bare, in: schema)
    #expect(found.rTrees == whole.rTrees)
    #expect(!found.gaps(in: schema).contains { if case .rTree = $0 { true } else { false } })
    #expect(schema.database.triggers.foreign == [])
  }
}
