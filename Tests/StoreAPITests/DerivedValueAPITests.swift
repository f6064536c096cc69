import Foundation
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Requests of a Swift program compute derived attributes, as the commands do.
@Suite(.enabled(if: SQLiteShell.executable != nil))
struct DerivedValueAPITests {
  private static func model() throws -> DataModel {
    func derived(_ name: String, _ type: AttributeType, _ text: String) throws
      -> AttributeDescription
    {
      AttributeDescription(
        name: name, type: type, isOptional: true,
        derivation: try FormatExpression(parsing: text))
    }
    return DataModel(
      name: "Lists",
      entities: [
        EntityDescription(
          name: "Item",
          attributes: [
            try derived("owner", .string, "uppercase:(list.name)"),
            AttributeDescription(name: "price", type: .integer64, isOptional: true),
          ],
          relationships: [
            RelationshipDescription(
              name: "list", destination: "List", inverse: "items", isOptional: true)
          ]),
        EntityDescription(
          name: "List",
          attributes: [
            AttributeDescription(name: "name", type: .string, isOptional: true),
            try derived("plain", .string, "canonical:(name)"),
            try derived("total", .integer64, "items.price.@sum"),
          ],
          relationships: [
            RelationshipDescription(
              name: "items", destination: "Item", inverse: "list",
              cardinality: .toMany(ordered: false), isOptional: true)
          ]),
      ])
  }

  @Test func everyRequestComputesThem() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Lists.sqlite")
    let model = try Self.model()
    try await PersistentStore.create(path, for: model)
    let store = try await PersistentStore.open(path, models: [model])
    func rows() throws -> [String] {
      let outcome = try BuiltCommand(in: folder.url).run(
        "'\(SQLiteShell.executable ?? "sqlite3")' '\(path)'",
        input: """
          SELECT ZPLAIN, ZTOTAL FROM ZLIST ORDER BY Z_PK;
          SELECT ZPRICE, ZOWNER FROM ZITEM ORDER BY Z_PK;
          """)
      return (outcome.errors + outcome.output).split(separator: "\n").map(String.init)
    }
    _ = try await store.batchInsert([["name": DataValue.string("Zoë")]], into: "List")
    _ = try await store.batchInsert(
      [["price": DataValue.integer(2)], ["price": DataValue.integer(5)]], into: "Item")
    #expect(try rows() == ["zoe|0", "2|", "5|"])
    _ = try await store.batchLink(BatchLink(.link, entity: "List", relationship: "items"))
    #expect(try rows() == ["zoe|7", "2|ZOË", "5|ZOË"])
    try await store.transaction { transaction in
      _ = try transaction.batchDelete(
        BatchDelete(entity: "Item", predicate: try matching("price == 5")))
      _ = try transaction.batchInsert([["name": DataValue.string("Ä")]], into: "List")
    }
    #expect(try rows() == ["zoe|2", "a|0", "2|ZOË"])
    _ = try await store.batchLink(
      BatchLink(.unlink, entity: "List", relationship: "items", where: matching("name == 'Zoë'")))
    #expect(try rows() == ["zoe|0", "a|0", "2|"])
  }
}
