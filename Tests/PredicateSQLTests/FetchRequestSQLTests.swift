import PredicateSQL
import SampleData
import SQLiteAccess
import StoreDiagnostics
import StoreLayout
import StoreModel
import StorePredicate
import Testing
import TestSupport

/// Complete requests as SQL, with the resulting table.
struct FetchRequestSQLTests {
  private let store: CompanyStore

  init() throws {
    store = try CompanyStore()
  }

  private func values(_ text: String) throws -> StoreFetchRequest.Result {
    .values(
      try FormatExpression.parseList(text, as: .select)
        .map { SelectedValue($0.expression, name: $0.alias ?? $0.text) })
  }

  private func sort(_ text: String) throws -> [SortKey] {
    try FormatExpression.parseList(text, as: .sort)
      .map { SortKey($0.expression, isAscending: !$0.isDescending) }
  }

  private func list(_ text: String) throws -> [FormatExpression] {
    try FormatExpression.parseList(text, as: .plain).map(\.expression)
  }

  /// Returns the SQL, followed by the column names and one line per row.
  private func describe(_ request: StoreFetchRequest) throws -> String {
    let query: CompiledQuery
    do throws(CheckErrors) {
      query = try request.sql(in: store.layout)
    } catch {
      return error.diagnostics.map(DiagnosticRenderer().render).joined()
    }
    let (sql, values) = query.sql.rendered()
    let rows = try store.inside { try $0.rows(query.sql) }
    var lines = [sql]
    if !values.isEmpty { lines.append("  " + values.map(\.shortText).joined(separator: ", ")) }
    lines.append("  " + query.columns.map(\.name).joined(separator: " | "))
    lines += rows.map { row in
      "  " + query.columns.map { text(of: $0.source, in: row) }.joined(separator: " | ")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func text(of source: ResultColumn.Source, in row: [SQLiteValue]) -> String {
    switch source {
    case .value(let index, _), .objectIDs(let index): return row[index].shortText
    case .objectID(let key, _) where row[key] == .null: return "NULL"
    case .objectID(let key, .fixed(let entity)): return "\(entity)/p\(row[key].shortText)"
    case .objectID(let key, .number(let number)):
      guard case .integer(let number) = row[number] else { return "?" }
      let entity = store.layout.entity(numbered: number)?.name ?? "?"
      return "\(entity)/p\(row[key].shortText)"
    }
  }

  private func expect(
    _ requests: [(String, StoreFetchRequest)], match golden: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = try requests.map { "# \($0)\n\(try describe($1))" }.joined(separator: "\n")
    Golden.expect(text, matches: "sql/\(golden).txt", sourceLocation: sourceLocation)
  }

  @Test func rows() throws {
    try expect(
      [
        ("all of Department", StoreFetchRequest(entity: "Department")),
        ("sub-entities too", StoreFetchRequest(entity: "Employee", limit: 2)),
        ("the entity alone", StoreFetchRequest(entity: "Employee", includesSubentities: false)),
        ("abstract alone", StoreFetchRequest(entity: "Person", includesSubentities: false)),
        (
          "sorted, a page",
          StoreFetchRequest(
            entity: "Department", sort: try sort("-floor,name"), limit: 2, offset: 1)
        ),
        ("offset without limit", StoreFetchRequest(entity: "Skill", offset: 1)),
        (
          "sorted by a to-one path",
          StoreFetchRequest(
            entity: "Employee", sort: try sort("department.name,-age"), result: try values("name"))
        ),
        (
          "object IDs of several entities", StoreFetchRequest(entity: "Person", result: .objectIDs)
        ),
        (
          "object IDs of one entity",
          StoreFetchRequest(entity: "Guest", result: .objectIDs)
        ),
        ("distinct rows", StoreFetchRequest(entity: "Note", isDistinct: true)),
      ], match: "rows")
  }

  @Test func counts() throws {
    try expect(
      [
        ("bare", StoreFetchRequest(entity: "Department", result: .count)),
        ("shared table", StoreFetchRequest(entity: "Employee", result: .count)),
        (
          "with a predicate",
          StoreFetchRequest(
            entity: "Person", predicate: try FormatPredicate(parsing: "name BEGINSWITH 'A'"),
            result: .count)
        ),
        (
          "sort is of no account",
          StoreFetchRequest(entity: "Department", sort: try sort("name"), result: .count)
        ),
        ("limit", StoreFetchRequest(entity: "Department", limit: 2, offset: 2, result: .count)),
        (
          "groups",
          StoreFetchRequest(entity: "Employee", result: .count, groupBy: try list("department"))
        ),
        (
          "groups that match",
          StoreFetchRequest(
            entity: "Employee", result: .count, groupBy: try list("department.name"),
            having: try FormatPredicate(parsing: "count(SELF) > 1"))
        ),
        ("distinct", StoreFetchRequest(entity: "Skill", result: .count, isDistinct: true)),
      ], match: "counts")
  }

  @Test func values() throws {
    try expect(
      [
        (
          "key paths",
          StoreFetchRequest(
            entity: "Employee",
            result: try values("name,department.name AS department,mentor,objectID,entity"))
        ),
        (
          "arithmetic and collections",
          StoreFetchRequest(
            entity: "Employee",
            result: try values("age * 2,mentees.@count,max(skills.name),uppercase(name) AS upper"))
        ),
        (
          "aggregates of everything",
          StoreFetchRequest(
            entity: "Employee",
            result: try values(
              "sum(age),avg(age),min(name),max(birthday),count(nickname),count(SELF),sum(salary) / 2"
            ))
        ),
        (
          "aggregates of nothing",
          StoreFetchRequest(
            entity: "Employee", predicate: .constant(false),
            result: try values("sum(age),avg(age),min(age),max(age),count(age)"))
        ),
        (
          "statistics beside other aggregates",
          StoreFetchRequest(
            entity: "Employee", result: try values("median(age) - 1,stddev(age),sum(age),@max.age"))
        ),
        (
          "distinct values",
          StoreFetchRequest(entity: "Employee", result: try values("age"), isDistinct: true)
        ),
        (
          "distinct and sorted",
          StoreFetchRequest(
            entity: "Employee", sort: try sort("-age"), result: try values("age,isActive"),
            isDistinct: true)
        ),
      ], match: "values")
  }

  @Test func groups() throws {
    try expect(
      [
        (
          "by an attribute",
          StoreFetchRequest(
            entity: "Employee", result: try values("age,count(SELF) AS people,sum(salary)"),
            groupBy: try list("age"))
        ),
        (
          "by a to-one path, filtered and sorted by an alias",
          StoreFetchRequest(
            entity: "Employee", sort: try sort("-total"),
            result: try values("department.name,sum(age) AS total"),
            groupBy: try list("department.name"),
            having: try FormatPredicate(parsing: "sum(age) > 10 AND department.name != nil"))
        ),
        (
          "by an object, with what follows from it",
          StoreFetchRequest(
            entity: "Employee", result: try values("department,department.name,count(name)"),
            groupBy: try list("department"))
        ),
        (
          "by an attribute, with statistics",
          StoreFetchRequest(
            entity: "Employee", sort: try sort("-median(salary),$people"),
            result: try values("isActive,count(SELF) AS people,median(salary),stddev(age)"),
            groupBy: try list("isActive"), having: try FormatPredicate(parsing: "median(age) > 10"))
        ),
        (
          "filtered by variables that name selected values",
          StoreFetchRequest(
            entity: "Employee", result: try values("age,count(SELF) AS people,max(salary) AS most"),
            groupBy: try list("age"),
            having: try FormatPredicate(parsing: "$people > 1 AND $most > $age")
          )
        ),
      ], match: "groups")
  }

  @Test func sections() throws {
    let path = try FormatExpression(parsing: "department.name")
    try expect(
      [
        (
          "sorted inside",
          StoreFetchRequest(
            entity: "Employee", sort: try sort("name,age"), result: try values("name,age"),
            sections: path)
        ),
        (
          "downwards",
          StoreFetchRequest(
            entity: "Employee", sort: try sort("-department.name,name"),
            result: try values("name"), sections: path)
        ),
        (
          "rows", StoreFetchRequest(entity: "Note", sections: try FormatExpression(parsing: "text"))
        ),
      ], match: "sections")
  }

  @Test func errorsAreShownInTheirPart() throws {
    let texts = RequestTexts(
      predicate: PredicateText("name == 'a'"), select: PredicateText("age,name,sum(age)"),
      sort: PredicateText("age"), groupBy: PredicateText("age"))
    let request = StoreFetchRequest(
      entity: "Employee", predicate: try FormatPredicate(parsing: "name == 'a'"),
      sort: try sort("age"),
      result: try values("age,name,sum(age)"), groupBy: try list("age"))
    let failure = try #require(throws: CheckErrors.self) {
      try request.sql(in: store.layout, texts: texts)
    }
    #expect(
      failure.diagnostics.map(DiagnosticRenderer().render) == [
        """
        error: 'name' can have several values in a group [predicate.not-grouped]
          age,name,sum(age)
              ^^^^
          help: group by 'name' too, or aggregate it with sum, avg, min, max, count, median or stddev

        """
      ])
  }

  @Test func compositesAreReadByElement() throws {
    let model = DataModel(
      name: "Places",
      entities: [
        EntityDescription(
          name: "Shop", attributes: [AttributeDescription(name: "place", type: .composite("Place"))]
        )
      ],
      composites: [
        CompositeDescription(
          name: "Place",
          attributes: [
            AttributeDescription(name: "city", type: .string),
            AttributeDescription(name: "height", type: .float),
          ])
      ])
    let layout = StoreLayout(model: model)
    let database = try MemoryDatabase()
    let query = try StoreFetchRequest(
      entity: "Shop", predicate: try FormatPredicate(parsing: "place.city == 'Bern'"),
      sort: try sort("-place.height")
    ).sql(in: layout)
    #expect(query.columns.map(\.name) == ["place.city", "place.height"])
    try database.inside { connection in
      for statement in layout.statements { try connection.define(statement) }
      #expect(try connection.rows(query.sql).isEmpty)
    }
  }

  @Test func columnsSayHowToReadThem() throws {
    let rows = try StoreFetchRequest(entity: "Employee").sql(in: store.layout).columns
    #expect(rows.filter(\.allowsExternalStorage).map(\.name) == ["photo"])
    func columns(_ text: String) throws -> [ResultColumn] {
      try StoreFetchRequest(entity: "Employee", result: values(text)).sql(in: store.layout).columns
    }
    let photo = try columns("photo,age / 2,age / 2.0")
    #expect(
      photo.map(\.source) == [.value(0, .binary), .value(1, .integer64), .value(2, .double)])
    #expect(photo.map(\.allowsExternalStorage) == [true, false, false])
    #expect(
      try columns("avg(age),sum(age),sum(rating),max(birthday),count(name),sum(salary)")
        .map(\.source) == [
          .value(0, .double), .value(1, .integer64), .value(2, .double), .value(3, .date),
          .value(4, .integer64), .value(5, .decimal),
        ])
  }

  @Test func requestsThatMakeNoSense() throws {
    try expect(
      [
        ("entity", StoreFetchRequest(entity: "Departmnt")),
        ("sort key", StoreFetchRequest(entity: "Department", sort: try sort("nmae"))),
        (
          "to-many sort key",
          StoreFetchRequest(entity: "Department", sort: try sort("employees.age"))
        ),
        (
          "mixed select",
          StoreFetchRequest(entity: "Employee", result: try values("name,sum(age)"))
        ),
        (
          "ungrouped select",
          StoreFetchRequest(
            entity: "Employee", result: try values("name,sum(age)"), groupBy: try list("age"))
        ),
        (
          "ungrouped having",
          StoreFetchRequest(
            entity: "Employee", result: try values("age"), groupBy: try list("age"),
            having: try FormatPredicate(parsing: "name == 'a'"))
        ),
        (
          "mixed select with a median",
          StoreFetchRequest(entity: "Employee", result: try values("name,median(age)"))
        ),
        (
          "a condition with an aggregate beside a value of the rows",
          StoreFetchRequest(
            entity: "Employee", result: try values("TERNARY(3 < max(age), name, 'x')"))
        ),
        (
          "sections of folded rows",
          StoreFetchRequest(
            entity: "Employee", result: try values("sum(age)"),
            sections: try FormatExpression(parsing: "department.name"))
        ),
        (
          "aggregate of an aggregate",
          StoreFetchRequest(entity: "Employee", result: try values("max(median(age))"))
        ),
        (
          "aggregate behind ANY",
          StoreFetchRequest(
            entity: "Employee", result: try values("age"), groupBy: try list("age"),
            having: try FormatPredicate(parsing: "ANY {1, 2} == count(name)"))
        ),
        (
          "aggregate in a collection",
          StoreFetchRequest(entity: "Employee", result: try values("median({sum(age), 1})"))
        ),
        (
          "aggregate in a SUBQUERY",
          StoreFetchRequest(
            entity: "Employee", result: try values("age"), groupBy: try list("age"),
            having: try FormatPredicate(
              parsing: "TERNARY(SUBQUERY({1, 2}, $x, $x < count(SELF)).@count > 0, 1, 0) == 1"))
        ),
        (
          "mode of the rows",
          StoreFetchRequest(entity: "Employee", result: try values("mode(age)[FIRST]"))
        ),
        (
          "a variable that names no selected value",
          StoreFetchRequest(
            entity: "Employee", result: try values("age,count(SELF) AS people"),
            groupBy: try list("age"), having: try FormatPredicate(parsing: "$peeple > 1"))
        ),
        (
          "a variable where nothing is selected",
          StoreFetchRequest(
            entity: "Employee", result: .count, groupBy: try list("age"),
            having: try FormatPredicate(parsing: "$people > 1"))
        ),
        ("grouped rows", StoreFetchRequest(entity: "Employee", groupBy: try list("age"))),
        (
          "having alone",
          StoreFetchRequest(
            entity: "Employee", having: try FormatPredicate(parsing: "sum(age) > 1"))
        ),
        (
          "a collection as a value",
          StoreFetchRequest(entity: "Employee", result: try values("skills"))
        ),
        (
          "aggregate in WHERE",
          StoreFetchRequest(
            entity: "Employee", predicate: try FormatPredicate(parsing: "max(age) == age"))
        ),
      ], match: "request-refusals")
  }
}
