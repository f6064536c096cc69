import PredicateSQL
import SampleData
import SQLiteAccess
import StoreDiagnostics
import StoreLayout
import StoreModel
import StorePredicate
import StoreSQL
import Testing
import TestSupport

/// Whole requests as SQL, with the table that comes out.
struct FetchRequestSQLTests {
  private let store: CompanyStore

  init() throws {
    store = try CompanyStore()
  }

  private func values(_ text: String) throws -> FetchRequest.Result {
    .values(
      try Expression.parseList(text, as: .select)
        .map { SelectedValue($0.expression, name: $0.alias ?? $0.text) })
  }

  private func sort(_ text: String) throws -> [SortKey] {
    try Expression.parseList(text, as: .sort)
      .map { SortKey($0.expression, isAscending: !$0.isDescending) }
  }

  private func list(_ text: String) throws -> [Expression] {
    try Expression.parseList(text, as: .plain).map(\.expression)
  }

  /// The SQL, then the rows, a line each, under the names of the columns.
  private func describe(_ request: FetchRequest) throws -> String {
    let query: CompiledQuery
    do throws(CheckFailure) {
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
    _ requests: [(String, FetchRequest)], match golden: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = try requests.map { "# \($0)\n\(try describe($1))" }.joined(separator: "\n")
    Golden.expect(text, matches: "sql/\(golden).txt", sourceLocation: sourceLocation)
  }

  @Test func rows() throws {
    try expect(
      [
        ("all of Department", FetchRequest(entity: "Department")),
        ("sub-entities too", FetchRequest(entity: "Employee", limit: 2)),
        ("the entity alone", FetchRequest(entity: "Employee", includesSubentities: false)),
        ("abstract alone", FetchRequest(entity: "Person", includesSubentities: false)),
        (
          "sorted, a page",
          FetchRequest(
            entity: "Department", sort: try sort("-floor,name"), limit: 2, offset: 1)
        ),
        ("offset without limit", FetchRequest(entity: "Skill", offset: 1)),
        (
          "sorted by a to-one path",
          FetchRequest(
            entity: "Employee", sort: try sort("department.name,-age"), result: try values("name"))
        ),
        (
          "object IDs of several entities", FetchRequest(entity: "Person", result: .objectIDs)
        ),
        (
          "object IDs of one entity",
          FetchRequest(entity: "Guest", result: .objectIDs)
        ),
        ("distinct rows", FetchRequest(entity: "Note", isDistinct: true)),
      ], match: "rows")
  }

  @Test func counts() throws {
    try expect(
      [
        ("bare", FetchRequest(entity: "Department", result: .count)),
        ("shared table", FetchRequest(entity: "Employee", result: .count)),
        (
          "with a predicate",
          FetchRequest(
            entity: "Person", predicate: try Predicate(parsing: "name BEGINSWITH 'A'"),
            result: .count)
        ),
        (
          "sort is of no account",
          FetchRequest(entity: "Department", sort: try sort("name"), result: .count)
        ),
        ("limit", FetchRequest(entity: "Department", limit: 2, offset: 2, result: .count)),
        (
          "groups",
          FetchRequest(entity: "Employee", result: .count, groupBy: try list("department"))
        ),
        (
          "groups that match",
          FetchRequest(
            entity: "Employee", result: .count, groupBy: try list("department.name"),
            having: try Predicate(parsing: "count(SELF) > 1"))
        ),
        ("distinct", FetchRequest(entity: "Skill", result: .count, isDistinct: true)),
      ], match: "counts")
  }

  @Test func values() throws {
    try expect(
      [
        (
          "key paths",
          FetchRequest(
            entity: "Employee",
            result: try values("name,department.name AS department,mentor,objectID,entity"))
        ),
        (
          "arithmetic and collections",
          FetchRequest(
            entity: "Employee",
            result: try values("age * 2,mentees.@count,max(skills.name),uppercase(name) AS upper"))
        ),
        (
          "aggregates of everything",
          FetchRequest(
            entity: "Employee",
            result: try values(
              "sum(age),avg(age),min(name),max(birthday),count(nickname),count(SELF),sum(salary) / 2"
            ))
        ),
        (
          "aggregates of nothing",
          FetchRequest(
            entity: "Employee", predicate: .constant(false),
            result: try values("sum(age),avg(age),min(age),max(age),count(age)"))
        ),
        (
          "statistics beside other aggregates",
          FetchRequest(
            entity: "Employee", result: try values("median(age) - 1,stddev(age),sum(age),@max.age"))
        ),
        (
          "distinct values",
          FetchRequest(entity: "Employee", result: try values("age"), isDistinct: true)
        ),
        (
          "distinct and sorted",
          FetchRequest(
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
          FetchRequest(
            entity: "Employee", result: try values("age,count(SELF) AS people,sum(salary)"),
            groupBy: try list("age"))
        ),
        (
          "by a to-one path, filtered and sorted by an alias",
          FetchRequest(
            entity: "Employee", sort: try sort("-total"),
            result: try values("department.name,sum(age) AS total"),
            groupBy: try list("department.name"),
            having: try Predicate(parsing: "sum(age) > 10 AND department.name != nil"))
        ),
        (
          "by an object, with what follows from it",
          FetchRequest(
            entity: "Employee", result: try values("department,department.name,count(name)"),
            groupBy: try list("department"))
        ),
        (
          "by an attribute, with statistics",
          FetchRequest(
            entity: "Employee", sort: try sort("-median(salary),$people"),
            result: try values("isActive,count(SELF) AS people,median(salary),stddev(age)"),
            groupBy: try list("isActive"), having: try Predicate(parsing: "median(age) > 10"))
        ),
        (
          "filtered by variables that name selected values",
          FetchRequest(
            entity: "Employee", result: try values("age,count(SELF) AS people,max(salary) AS most"),
            groupBy: try list("age"), having: try Predicate(parsing: "$people > 1 AND $most > $age")
          )
        ),
      ], match: "groups")
  }

  @Test func sections() throws {
    let path = try Expression(parsing: "department.name")
    try expect(
      [
        (
          "sorted inside",
          FetchRequest(
            entity: "Employee", sort: try sort("name,age"), result: try values("name,age"),
            sections: path)
        ),
        (
          "downwards",
          FetchRequest(
            entity: "Employee", sort: try sort("-department.name,name"),
            result: try values("name"), sections: path)
        ),
        ("rows", FetchRequest(entity: "Note", sections: try Expression(parsing: "text"))),
      ], match: "sections")
  }

  @Test func errorsAreShownInTheirPart() throws {
    let texts = RequestTexts(
      predicate: PredicateText("name == 'a'"), select: PredicateText("age,name,sum(age)"),
      sort: PredicateText("age"), groupBy: PredicateText("age"))
    let request = FetchRequest(
      entity: "Employee", predicate: try Predicate(parsing: "name == 'a'"), sort: try sort("age"),
      result: try values("age,name,sum(age)"), groupBy: try list("age"))
    let failure = try #require(throws: CheckFailure.self) {
      try request.sql(in: store.layout, texts: texts)
    }
    #expect(
      failure.diagnostics.map(DiagnosticRenderer().render) == [
        """
        error: 'name' has many values in a group [predicate.not-grouped]
          age,name,sum(age)
              ^^^^
          help: group by 'name' too, or fold it with sum, avg, min, max, count, median or stddev

        """
      ])
  }

  @Test func compositesAreReadByElement() throws {
    let model = Model(
      name: "Places",
      entities: [
        Entity(name: "Shop", attributes: [Attribute(name: "place", type: .composite("Place"))])
      ],
      composites: [
        Composite(
          name: "Place",
          attributes: [
            Attribute(name: "city", type: .string), Attribute(name: "height", type: .float),
          ])
      ])
    let layout = StoreLayout(model: model)
    let database = try MemoryDatabase()
    let query = try FetchRequest(
      entity: "Shop", predicate: try Predicate(parsing: "place.city == 'Bern'"),
      sort: try sort("-place.height")
    ).sql(in: layout)
    #expect(query.columns.map(\.name) == ["place.city", "place.height"])
    try database.inside { connection in
      for statement in layout.statements { try connection.define(statement) }
      #expect(try connection.rows(query.sql).isEmpty)
    }
  }

  @Test func columnsSayHowToReadThem() throws {
    let rows = try FetchRequest(entity: "Employee").sql(in: store.layout).columns
    #expect(rows.filter(\.allowsExternalStorage).map(\.name) == ["photo"])
    func columns(_ text: String) throws -> [ResultColumn] {
      try FetchRequest(entity: "Employee", result: values(text)).sql(in: store.layout).columns
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
        ("entity", FetchRequest(entity: "Departmnt")),
        ("sort key", FetchRequest(entity: "Department", sort: try sort("nmae"))),
        ("to-many sort key", FetchRequest(entity: "Department", sort: try sort("employees.age"))),
        (
          "mixed select",
          FetchRequest(entity: "Employee", result: try values("name,sum(age)"))
        ),
        (
          "ungrouped select",
          FetchRequest(
            entity: "Employee", result: try values("name,sum(age)"), groupBy: try list("age"))
        ),
        (
          "ungrouped having",
          FetchRequest(
            entity: "Employee", result: try values("age"), groupBy: try list("age"),
            having: try Predicate(parsing: "name == 'a'"))
        ),
        (
          "mixed select with a median",
          FetchRequest(entity: "Employee", result: try values("name,median(age)"))
        ),
        (
          "a condition with an aggregate beside a value of the rows",
          FetchRequest(entity: "Employee", result: try values("TERNARY(3 < max(age), name, 'x')"))
        ),
        (
          "sections of folded rows",
          FetchRequest(
            entity: "Employee", result: try values("sum(age)"),
            sections: try Expression(parsing: "department.name"))
        ),
        (
          "aggregate of an aggregate",
          FetchRequest(entity: "Employee", result: try values("max(median(age))"))
        ),
        (
          "aggregate behind ANY",
          FetchRequest(
            entity: "Employee", result: try values("age"), groupBy: try list("age"),
            having: try Predicate(parsing: "ANY {1, 2} == count(name)"))
        ),
        (
          "aggregate in a collection",
          FetchRequest(entity: "Employee", result: try values("median({sum(age), 1})"))
        ),
        (
          "aggregate in a SUBQUERY",
          FetchRequest(
            entity: "Employee", result: try values("age"), groupBy: try list("age"),
            having: try Predicate(
              parsing: "TERNARY(SUBQUERY({1, 2}, $x, $x < count(SELF)).@count > 0, 1, 0) == 1"))
        ),
        (
          "mode of the rows",
          FetchRequest(entity: "Employee", result: try values("mode(age)[FIRST]"))
        ),
        (
          "a variable that names no selected value",
          FetchRequest(
            entity: "Employee", result: try values("age,count(SELF) AS people"),
            groupBy: try list("age"), having: try Predicate(parsing: "$peeple > 1"))
        ),
        (
          "a variable where nothing is selected",
          FetchRequest(
            entity: "Employee", result: .count, groupBy: try list("age"),
            having: try Predicate(parsing: "$people > 1"))
        ),
        ("grouped rows", FetchRequest(entity: "Employee", groupBy: try list("age"))),
        (
          "having alone",
          FetchRequest(entity: "Employee", having: try Predicate(parsing: "sum(age) > 1"))
        ),
        (
          "a collection as a value", FetchRequest(entity: "Employee", result: try values("skills"))
        ),
        (
          "aggregate in WHERE",
          FetchRequest(entity: "Employee", predicate: try Predicate(parsing: "max(age) == age"))
        ),
      ], match: "request-refusals")
  }
}
