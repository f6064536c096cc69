import PredicateSQL
import SampleData
import SQLiteAccess
import StoreModel
import StorePredicate
import StoreTestSupport
import Testing
import TestSupport
import StoreCore

/// The examples of `docs/predicates.md` about collections: both a store and the evaluator find the rows on the page.
struct CollectionReferenceTests {
  private static let model = DataModel(
    name: "Lists",
    entities: [
      EntityDescription(
        name: "List",
        attributes: [
          AttributeDescription(name: "title", type: .string, isOptional: true),
          AttributeDescription(name: "limit", type: .integer16, isOptional: true),
        ],
        relationships: [SampleModels.toMany("items", "Item", inverse: "list", ordered: true)]),
      EntityDescription(
        name: "Item",
        attributes: [
          AttributeDescription(name: "name", type: .string, isOptional: true),
          AttributeDescription(name: "price", type: .integer32, isOptional: true),
        ],
        relationships: [
          RelationshipDescription(
            name: "list", destination: "List", inverse: "items", isOptional: true),
          SampleModels.toMany("tags", "Tag", inverse: "item"),
        ]),
      EntityDescription(
        name: "Tag",
        attributes: [AttributeDescription(name: "word", type: .string, isOptional: true)],
        relationships: [
          RelationshipDescription(
            name: "item", destination: "Item", inverse: "tags", isOptional: true)
        ]),
    ])

  @Test func bothBackEndsFindWhatIsSaid() throws {
    let page = try ReferencePage()
    let lists = try page.objects(in: "Collections")
    let rows = page.table(in: "Collections")
    #expect(lists.count == 3 && rows.count > 25)
    let graph = try GraphStore(Self.model)
    let json = page.section("Collections").filter { $0.hasPrefix("    {") }
    try graph.importing(json.joined(separator: "\n"), entity: "List")
    let title = FormatExpression.keyPath("title")
    for row in rows {
      let text = try #require(ReferencePage.code(in: row[0]).first)
      let predicate = try FormatPredicate(parsing: text)
      let request = StoreFetchRequest(
        entity: "List", predicate: predicate,
        result: .values([SelectedValue(title, name: "title")]))
      let query = try request.sql(in: graph.layout)
      let stored = try graph.store.read { try $0.rows(query.sql) }.map { $0[0].shortText }
      #expect(stored.joined(separator: ", ") == row[1], "in SQL: \(text)")

      var evaluator = PredicateEvaluator(nulls: .sql)
      var evaluated: [String] = []
      for list in lists where try evaluator.matches(predicate, list) {
        if case .value(.string(let text)) = try evaluator.value(of: title, list) {
          evaluated.append(text)
        }
      }
      #expect(evaluated.joined(separator: ", ") == row[1], "in memory: \(text)")
    }
  }
}
