import SampleData
import StoreDiagnostics
import StoreModel
import StorePredicate
import Testing

@testable import StoreCore

struct TemplateArgumentsTests {
  private static func template(
    _ name: String, _ text: String, entity: String = "Employee", limit: Int = 0
  ) throws -> FetchRequestTemplate {
    FetchRequestTemplate(
      name: name, entity: entity, predicateText: PredicateText(text),
      predicate: try FormatPredicate(parsing: text), limit: limit)
  }

  private func model() throws -> DataModel {
    DataModel(
      name: "Company", entities: CompanyStore.model.entities,
      templates: [
        try Self.template("byName", "name == $NAME", limit: 3),
        try Self.template("byAge", "age BETWEEN {$LOW, $HIGH} AND isActive == $ACTIVE"),
        try Self.template("byIDs", "age IN $AGES"),
        try Self.template("inDepartment", "department == $DEPARTMENT"),
        try Self.template("born", "birthday > $SINCE AND badge != $BADGE"),
        FetchRequestTemplate(name: "everyone", entity: "Person", resultType: .count),
        FetchRequestTemplate(
          name: "broken", entity: "Person",
          faults: [DiagnosticMessage(.error, "predicate.x", "broken")]),
      ])
  }

  private func request(
    _ name: String, _ arguments: String..., row: TemplateArguments.RowLookup? = nil
  ) throws -> StoreFetchRequest {
    try TemplateArguments(arguments).request(forTemplate: name, in: model()) {
      guard let row else { throw DiagnosticError([]) }
      return try row($0, $1)
    }
  }

  private func messages(_ name: String, _ arguments: String...) throws -> [String] {
    do {
      _ = try TemplateArguments(arguments).request(forTemplate: name, in: model()) { _, _ in
        ObjectID(store: nil, entity: "Department", primaryKey: 1)
      }
      return []
    } catch let error as any DiagnosableError {
      return error.diagnostics.map {
        "\($0.message) (\($0.cause)) \($0.help.map(\.description).joined(separator: "; "))"
      }
    }
  }

  @Test func literalsAreReadByTheVariablesType() throws {
    #expect(
      try request("byName", "NAME=Ray").predicate == FormatPredicate(parsing: "name == 'Ray'"))
    #expect(try request("byName", "NAME=Ray").limit == 3)
    #expect(
      try request("byName", "NAME=a=b").predicate == FormatPredicate(parsing: "name == 'a=b'"))
    #expect(
      try request("byName", "NAME=null").predicate == FormatPredicate(parsing: "name == 'null'"))
    #expect(try request("byName", "NAME=").predicate == FormatPredicate(parsing: "name == ''"))
    #expect(
      try request("byAge", "LOW=20", "HIGH=30", "ACTIVE=yes").predicate
        == FormatPredicate(parsing: "age BETWEEN {20, 30} AND isActive == YES"))
    let id = ObjectID(store: nil, entity: "Department", primaryKey: 2)
    #expect(
      try request("inDepartment", "DEPARTMENT=x-coredata:///Department/p2").predicate
        == .comparison(FormatComparison(.keyPath("department"), .equal, .value(.objectID(id)))))
    #expect(
      try request("inDepartment", "DEPARTMENT=null").predicate
        == FormatPredicate(parsing: "department == nil"))
  }

  @Test func expressionsAreChecked() throws {
    #expect(
      try request("byIDs", "AGES:={20, 31}").predicate
        == FormatPredicate(parsing: "age IN {20, 31}"))
    #expect(try request("byName", "NAME:=nil").predicate == FormatPredicate(parsing: "name == nil"))
    #expect(
      try request("byName", "NAME:=nickname").predicate
        == FormatPredicate(parsing: "name == nickname"))
    #expect(
      try request("byAge", "LOW:=10 + 10", "HIGH:=age", "ACTIVE:=YES").predicate
        == FormatPredicate(parsing: "age BETWEEN {10 + 10, age} AND isActive == YES"))
  }

  @Test func aConditionFindsItsRow() throws {
    let found = ObjectID(store: nil, entity: "Department", primaryKey: 7)
    let expected = try FormatPredicate(parsing: "name == 'Sales'")
    let request = try request("inDepartment", "DEPARTMENT:=(name == 'Sales')") {
      entity, condition in
      #expect(entity == "Department")
      #expect(condition.predicate == expected)
      return found
    }
    #expect(
      request.predicate
        == .comparison(FormatComparison(.keyPath("department"), .equal, .value(.objectID(found)))))
  }

  @Test func mistakesSayWhatToType() throws {
    #expect(
      try messages("byNmae", "NAME=x") == [
        "the model has no fetch-request template 'byNmae' (notFound) did you mean 'byName'?; "
          + "the model lists its templates"
      ])
    #expect(
      try messages("byName") == [
        "'byName' requires a value for 'NAME' (usage) add NAME=<String>"
      ])
    #expect(
      try messages("byName", "NAEM=x") == [
        "'byName' has no variable 'NAEM' (notFound) did you mean 'NAME'?"
      ])
    #expect(
      try messages("byAge", "LOW=x", "HIGH=1", "ACTIVE=1") == [
        "'LOW' takes an Integer 32, not 'x' (invalid) "
          + "write it as a whole number from -2147483648 to 2147483647"
      ])
    #expect(
      try messages("byIDs", "AGES=1") == [
        "'AGES' takes a list of Integer 32, not '1' (invalid) write 'AGES:={…, …}'"
      ])
    #expect(
      try messages("inDepartment", "DEPARTMENT=Sales") == [
        "'DEPARTMENT' takes an object of 'Department', not 'Sales' (invalid) "
          + "write it as an object ID: 'x-coredata:///Department/p7'"
      ])
    #expect(
      try messages("byName", "NAME:=5") == [
        "'NAME' takes a String, not an Integer 64 (invalid) "
      ])
    #expect(
      try messages("inDepartment", "DEPARTMENT:=(nmae == 'x')") == [
        "'Department' has no property 'nmae' (notFound) did you mean 'name'?"
      ])
    // For an object, only a condition in parentheses is accepted.
    #expect(try messages("inDepartment", "DEPARTMENT:= (name == 'Sales')").isEmpty)
    #expect(
      try messages("inDepartment", "DEPARTMENT:=(name == )").first?.contains("')'") == true)
    #expect(try messages("broken") == ["broken (invalid) "])
    #expect(throws: AssignmentError.malformed("Ray")) { try TemplateArguments(["Ray"]) }
    #expect(throws: AssignmentError.malformed("=Ray")) { try TemplateArguments(["=Ray"]) }
    #expect(throws: AssignmentError.malformed(":=Ray")) { try TemplateArguments([":=Ray"]) }
    #expect(throws: AssignmentError.repeated("A")) { try TemplateArguments(["A=1", "A=2"]) }
  }

  @Test func theTemplateShapesTheRequest() throws {
    let request = try request("everyone")
    #expect(request == StoreFetchRequest(entity: "Person", result: .count))
  }
}
