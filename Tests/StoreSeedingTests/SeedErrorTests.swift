import StoreDiagnostics
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing

@testable import StoreSeeding
import StoreCore

/// Errors for requirements that can't be met. They contain the possible number of rows.
struct SeedErrorTests {
  private func message(_ counts: [String: Int]?, _ entities: EntityDescription...) throws -> String?
  {
    let store = try GraphStore(DataModel(name: "M", entities: entities))
    do {
      try store.store.write { connection in
        let plan = try SeedPlan(Seeding(counts: counts), in: store.layout, on: connection)
        _ = try SeedRun(plan, store: "").run(on: connection)
      }
    } catch let error as SeedError {
      #expect(error.diagnostics.count == 1)
      return error.diagnostics[0].message
    }
    return nil
  }

  private func item(
    _ attributes: AttributeDescription..., unique: [[String]] = [],
    to relationship: RelationshipDescription? = nil
  ) -> EntityDescription {
    EntityDescription(
      name: "Item", attributes: attributes, relationships: relationship.map { [$0] } ?? [],
      uniquenessConstraints: unique)
  }

  private let flag = AttributeDescription(name: "flag", type: .boolean)
  private let digit = AttributeDescription(
    name: "digit", type: .integer16,
    validation: .init(minimum: .integer(0), maximum: .integer(9)))

  @Test func tooFewValues() throws {
    #expect(
      try message(["Item": 3], item(flag, unique: [["flag"]]))
        == "'Item.flag' is unique, so only 2 more rows can be distinguished by it, not 3")
    #expect(try message(["Item": 2], item(flag, unique: [["flag"]])) == nil)
    #expect(
      try message(["Item": 21], item(flag, digit, unique: [["flag", "digit"]]))
        == "'Item.flag' and 'Item.digit' are unique, so only 20 more rows can be distinguished by them, not 21"
    )
    #expect(try message(["Item": 20], item(flag, digit, unique: [["flag", "digit"]])) == nil)
    // NULL values are never equal.
    var optional = flag
    optional.isOptional = true
    #expect(try message(["Item": 9], item(optional, unique: [["flag"]])) == nil)
    // The number of rows isn't specified.
    #expect(try message(nil, item(flag, unique: [["flag"]])) == nil)
  }

  @Test func noValue() throws {
    func text(_ validation: AttributeDescription.Validation) -> AttributeDescription {
      AttributeDescription(name: "code", type: .string, validation: validation)
    }
    #expect(
      try message(["Item": 1], item(text(.init(pattern: "(?=b)a"))))
        == "'Item.code' is required, but no value can be generated for it: no text was found that matches '(?=b)a'"
    )
    #expect(
      try message(
        ["Item": 1], item(text(.init(minimum: .integer(9), pattern: "[0-9]{4}"))))
        == "'Item.code' is required, but no value can be generated for it: no value is within its bounds"
    )
    #expect(
      try message(["Item": 1], item(text(.init(minimum: .integer(9), maximum: .integer(3)))))
        == "'Item.code' is required, but no value can be generated for it: no text has at least 9 and at most 3 characters"
    )
    var withDefault = text(.init(pattern: "(?=b)a"))
    withDefault.defaultValue = .string("b")
    #expect(try message(["Item": 1], item(withDefault)) == nil)
  }

  private func list(_ items: RelationshipDescription) -> EntityDescription {
    EntityDescription(name: "List", relationships: [items])
  }

  private let toList = RelationshipDescription(
    name: "list", destination: "List", inverse: "items", cardinality: .toOne)

  @Test func tooFewRows() throws {
    let items = RelationshipDescription(
      name: "items", destination: "Item", inverse: "list", cardinality: .toMany(ordered: false),
      isOptional: true, minimumCount: 2, maximumCount: 3)
    #expect(
      try message(["Item": 1], item(to: toList), list(items))
        == "'Item.list' is required, but 'List' doesn't have rows")
    #expect(
      try message(["Item": 10, "List": 3], item(to: toList), list(items))
        == "'Item.list' requires 4 rows of 'List', but there would be only 3")
    var required = items
    required.isOptional = false
    #expect(
      try message(["Item": 5, "List": 3], item(to: toList), list(required))
        == "'List.items' requires 6 rows of 'Item', but there would be only 5")
    #expect(try message(["Item": 6, "List": 3], item(to: toList), list(required)) == nil)
    #expect(try message(nil, item(to: toList), list(required)) == nil)
  }

  @Test func oneEach() throws {
    let owner = RelationshipDescription(
      name: "list", destination: "List", inverse: "item", cardinality: .toOne)
    let back = RelationshipDescription(
      name: "item", destination: "Item", inverse: "list", cardinality: .toOne)
    #expect(
      try message(["Item": 3, "List": 2], item(to: owner), list(back))
        == "'List.item' requires 3 rows of 'List', but there would be only 2"
        || message(["Item": 3, "List": 2], item(to: owner), list(back))
          == "'Item.list' requires 3 rows of 'List', but there would be only 2"
    )
    #expect(try message(["Item": 3, "List": 3], item(to: owner), list(back)) == nil)
  }
}
