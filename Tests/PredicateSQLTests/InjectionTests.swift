import PredicateSQL
import SampleData
import SQLiteAccess
import StoreLayout
import StoreModel
import StorePredicate
import Testing

/// A user's text never becomes SQL. Values are bound, names of the model are quoted, and key paths must exist in the
/// model.
struct InjectionTests {
  static let attacks = [
    "'; DROP TABLE ZPERSON; --", "\"; DROP TABLE ZPERSON; --", "x' OR '1'='1", "') OR 1=1 --",
    "\0'; DROP TABLE ZPERSON", "%' UNION SELECT Z_UUID FROM Z_METADATA --", "?1", "a*[b]?\\",
    "x\"\u{301}; DROP TABLE ZPERSON; --",
  ]

  private func run(
    _ predicate: FormatPredicate, in store: CompanyStore
  ) throws -> (sql: String, rows: Int, left: Int64) {
    let query = try StoreFetchRequest(entity: "Employee", predicate: predicate).sql(
      in: store.layout)
    return try store.inside { connection in
      let rows = try connection.rows(query.sql).count
      let left = try connection.integer("SELECT COUNT(*) FROM ZPERSON")
      return (query.sql.rendered().text, rows, left)
    }
  }

  @Test(arguments: attacks)
  func valuesAreBound(text: String) throws {
    let store = try CompanyStore()
    let operators: [FormatComparison.Operator] = [
      .equal, .notEqual, .less, .contains, .beginsWith, .endsWith, .like,
    ]
    for comparison in operators {
      for options in [FormatComparison.Options(), [.caseInsensitive, .diacriticInsensitive]] {
        let predicate = FormatPredicate.comparison(
          FormatComparison(
            .keyPath("nickname"), comparison, .value(.string(text)), options: options))
        let result = try run(predicate, in: store)
        #expect(!result.sql.contains("DROP") && !result.sql.contains("UNION"))
        #expect(result.left == 5)
        if comparison != .notEqual && comparison != .less { #expect(result.rows == 0) }
      }
    }
  }

  @Test(arguments: attacks)
  func variablesAreBound(text: String) throws {
    let store = try CompanyStore()
    let template = try FormatPredicate(parsing: "nickname == $X OR nickname IN {$X, 'Bobby'}")
    let result = try run(template.substituting(["X": .value(.string(text))]), in: store)
    #expect(result.rows == 1)
    #expect(result.left == 5)
  }

  @Test(arguments: attacks)
  func keyPathsMustExist(text: String) throws {
    let store = try CompanyStore()
    for expression in [FormatExpression.keyPath(text), .keyPath("department", text)] {
      let predicate = FormatPredicate.comparison(
        FormatComparison(expression, .equal, .value(.integer(1))))
      #expect(throws: CheckErrors.self) { try run(predicate, in: store) }
      let sorted = StoreFetchRequest(entity: "Employee", sort: [SortKey(expression)])
      #expect(throws: CheckErrors.self) { try sorted.sql(in: store.layout) }
      let selected = StoreFetchRequest(
        entity: "Employee", result: .values([SelectedValue(expression, name: "x")]))
      #expect(throws: CheckErrors.self) { try selected.sql(in: store.layout) }
    }
    #expect(throws: CheckErrors.self) { try StoreFetchRequest(entity: text).sql(in: store.layout) }
  }

  /// Column names are only used in the output.
  @Test(arguments: attacks)
  func aliasesStayOutOfTheSQL(text: String) throws {
    let store = try CompanyStore()
    let query = try StoreFetchRequest(
      entity: "Employee", result: .values([SelectedValue(.keyPath("name"), name: text)])
    ).sql(in: store.layout)
    #expect(query.columns.map(\.name) == [text])
    #expect(query.sql.rendered().text.hasPrefix("SELECT t0.ZNAME FROM ZPERSON t0 "))
  }

  /// A model can contain hostile names too.
  @Test(arguments: attacks)
  func namesOfTheModelAreQuoted(text: String) throws {
    let model = DataModel(
      name: "Hostile",
      entities: [
        EntityDescription(
          name: "A" + text, attributes: [AttributeDescription(name: "b" + text, type: .integer16)],
          relationships: [RelationshipDescription(name: "c" + text, destination: "A" + text)])
      ])
    let layout = StoreLayout(model: model)
    let database = try MemoryDatabase()
    let predicate = FormatPredicate.and([
      .comparison(FormatComparison(.keyPath("b" + text), .equal, .value(.integer(1)))),
      .comparison(FormatComparison(.keyPath("c" + text, "b" + text), .equal, .value(.null))),
    ])
    let query = try StoreFetchRequest(entity: "A" + text, predicate: predicate).sql(in: layout)
    try database.inside { connection in
      for statement in layout.statements { try connection.define(statement) }
      let table = layout.tables[0].name
      let column = layout.entities[0].attributes["b" + text]?.column ?? ""
      try connection.run(
        "INSERT INTO \(name: table) (Z_ENT, \(name: column)) VALUES (1, 1), (1, 2)")
      #expect(try connection.rows(query.sql).count == 1)
    }
  }
}
