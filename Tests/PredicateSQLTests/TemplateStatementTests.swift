import PredicateSQL
import StoreLayout
import StoreModel
import StorePredicate
import Testing

/// The statement of a template without values for its variables.
struct TemplateStatementTests {
  private func statement(_ format: String) throws -> TemplateStatement {
    let model = DataModel(
      name: "M",
      entities: [
        EntityDescription(
          name: "Item",
          attributes: [
            AttributeDescription(name: "name", type: .string),
            AttributeDescription(name: "done", type: .boolean),
            AttributeDescription(name: "count", type: .integer16),
            AttributeDescription(name: "day", type: .date),
          ],
          relationships: [
            RelationshipDescription(name: "parent", destination: "Item", isOptional: true)
          ])
      ],
      templates: [
        FetchRequestTemplate(
          name: "some", entity: "Item", predicate: try FormatPredicate(parsing: format))
      ])
    return try TemplateStatement("some", in: StoreLayout(model: model))
  }

  @Test(
    arguments: [
      ("name == $NAME AND count > 5", [.variable("NAME"), .constant("5")]),
      ("done == $DONE OR done == YES", [.variable("DONE"), .constant("1")]),
      ("day >= $FROM AND day < $TO", [.variable("FROM"), .variable("TO")]),
      ("parent == $PARENT", [.variable("PARENT")]),
      ("count IN $COUNTS", [.variable("COUNTS"), .variable("COUNTS")]),
      ("name CONTAINS[cd] $TEXT", [.variable("TEXT")]),
      ("TRUEPREDICATE", []),
    ] as [(String, [TemplateStatement.Parameter])])
  func parametersAreNamed(_ format: String, _ parameters: [TemplateStatement.Parameter]) throws {
    let statement = try statement(format)
    #expect(statement.parameters == parameters, "\(statement.sql)")
    #expect(statement.sql.hasPrefix("SELECT "))
  }

  @Test func unknownPropertyIsTold() {
    #expect(throws: CheckErrors.self) { try statement("title == $TITLE") }
  }
}
