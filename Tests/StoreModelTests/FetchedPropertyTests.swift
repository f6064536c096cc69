import StoreDiagnostics
import StoreModel
import StorePredicate
import Testing

/// `$FETCH_SOURCE` and `$FETCHED_PROPERTY` in the requests of fetched properties.
struct FetchedPropertyTests {
  private func model(_ text: String) throws -> DataModel {
    let request = FetchRequestTemplate(
      name: "fetchedPropertyFetchRequest", entity: "Item",
      predicateText: PredicateText(text, context: "in fetched property 'alike'"),
      predicate: try FormatPredicate(parsing: text))
    var entities = TodoModel.model.entities
    guard let list = entities.firstIndex(where: { $0.name == "List" }) else {
      return .init(name: "", entities: [])
    }
    entities[list].fetchedProperties = [
      FetchedProperty(
        name: "alike", request: request, userInfo: ["prefix": "A", "since": "2026-01-31"])
    ]
    entities.append(EntityDescription(name: "Inbox", parent: "List"))
    return DataModel(name: "Todo", entities: entities, composites: TodoModel.model.composites)
  }

  private func checked(_ text: String, _ name: String = "List.alike") throws -> CheckedPredicate {
    let model = try model(text)
    return try model.requireTemplate(named: name).checked(in: model)
  }

  private func messages(_ text: String) throws -> String {
    do {
      _ = try checked(text)
      return "fits"
    } catch let error as CheckErrors {
      return error.diagnostics.map { DiagnosticRenderer().render($0) }.joined()
    }
  }

  @Test func sourceIsAnObjectOfTheOwner() throws {
    let checked = try checked(
      "title == $FETCH_SOURCE.title AND list != $FETCH_SOURCE AND priority > $N")
    #expect(
      checked.variables.map { "\($0.name): \($0.type)" } == [
        "FETCH_SOURCE: object of 'List'", "N: Integer 16",
      ])
    #expect(checked.keyPaths.map(\.keyPath.format).contains("$FETCH_SOURCE.title"))
    #expect(
      try messages("ANY $FETCH_SOURCE.items.title == title AND SELF IN $FETCH_SOURCE.items")
        == "fits")
    #expect(try messages("priority > 3") == "fits")
  }

  @Test func propertyIsWhatTheModelSays() throws {
    let text = """
      title BEGINSWITH $FETCHED_PROPERTY.userInfo.prefix AND title != $FETCHED_PROPERTY.name \
      AND createdAt > $FETCHED_PROPERTY.userInfo.since
      """
    #expect(
      try checked(text).predicate
        == FormatPredicate(
          parsing: "title BEGINSWITH 'A' AND title != 'alike' AND createdAt > CAST(%f, 'NSDate')"
            .replacing("%f", with: "791510400")))
  }

  @Test func mistakesHavePlaces() throws {
    #expect(
      try messages("title == $FETCH_SOURCE.titel OR title == $FETCHED_PROPERTY.userInfo.prefx")
        == """
        error: 'List' has no property 'titel' [predicate.unknown-key-path]
          title == $FETCH_SOURCE.titel OR title == $FETCHED_PROPERTY.userInfo.prefx
                                 ^^^^^ in fetched property 'alike'
          help: did you mean 'title'?
        error: the fetched property 'alike' has no 'userInfo.prefx' [predicate.unknown-description]
          title == $FETCH_SOURCE.titel OR title == $FETCHED_PROPERTY.userInfo.prefx
                                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ in fetched property 'alike'
          help: did you mean 'userInfo.prefix'?

        """)
    #expect(
      try messages("$FETCHED_PROPERTY == title AND priority == $FETCH_SOURCE") == """
        error: '$FETCHED_PROPERTY' alone isn't a value [predicate.property-as-value]
          $FETCHED_PROPERTY == title AND priority == $FETCH_SOURCE
          ^^^^^^^^^^^^^^^^^ in fetched property 'alike'
          help: use its name or its user info: '$FETCHED_PROPERTY.userInfo.search'
        error: an object of 'List' and an Integer 16 can't be compared [predicate.type-mismatch]
          $FETCHED_PROPERTY == title AND priority == $FETCH_SOURCE
                                                     ^^^^^^^^^^^^^ in fetched property 'alike'

        """)
  }

  @Test func namesLeadToThem() throws {
    let model = try model("list == $FETCH_SOURCE")
    #expect(model.fetchedPropertyTemplates.map(\.name) == ["Item.siblings", "List.alike"])
    #expect(model.template(named: "Inbox.alike")?.source?.entity == "Inbox")
    #expect(model.template(named: "Tag.alike") == nil)
    #expect(throws: ModelLookupError.self) { try model.requireTemplate(named: "List.alik") }
  }

  @Test func requestHoldsTheObject() throws {
    let model = try model("list == $FETCH_SOURCE")
    let list = ObjectID(store: nil, entity: "List", primaryKey: 7)
    let request = try StoreFetchRequest(fetchedProperty: "alike", of: list, in: model)
    #expect(request.entity == "Item")
    #expect(
      request.predicate
        == .comparison(FormatComparison(.keyPath("list"), .equal, .value(.objectID(list)))))
    let all = ObjectID(store: nil, entity: "Item", primaryKey: 1)
    #expect(try StoreFetchRequest(fetchedProperty: "siblings", of: all, in: model).predicate == nil)
    #expect(throws: ModelLookupError.self) {
      try StoreFetchRequest(fetchedProperty: "none", of: list, in: model)
    }
  }
}
