import SampleData
import StoreModel
import StorePredicate
import Testing

@testable import PredicateSQL
@testable import SQLiteAccess
@testable import StoreCore

struct ExplanationTests {
  private let store: CompanyStore

  init() throws {
    store = try CompanyStore()
  }

  private func explain(
    _ text: String, of entity: String = "Employee", dropping index: String? = nil
  ) throws -> Explanation {
    let query = try StoreFetchRequest(entity: entity, predicate: FormatPredicate(parsing: text))
      .sql(in: store.layout)
    return try store.inside { connection in
      if let index { try connection.run("DROP INDEX \(name: index)") }
      return try Explanation(query.sql, in: store.layout, on: connection)
    }
  }

  @Test func namesTheIndexThatServes() throws {
    let explanation = try explain("age == 31")
    #expect(explanation.indexes == ["Z_Employee_byAge"])
    #expect(explanation.missing.isEmpty)
    #expect(explanation.parameters == [.integer(4), .integer(5), .integer(31)])
    #expect(explanation.sql.contains("t0.ZAGE = ?3"))
  }

  @Test func namesTheIndexThatTheStoreLacks() throws {
    _ = try store.inside { try $0.run("DROP INDEX Z_Employee_age") }
    let explanation = try explain("age == 31", dropping: "Z_Employee_byAge")
    #expect(explanation.missing.map(\.name) == ["Z_Employee_age"])
    #expect(
      explanation.missing.map(\.statement)
        == ["CREATE INDEX Z_Employee_age ON ZPERSON (ZAGE COLLATE BINARY ASC)"])
  }

  @Test func anEqualIndexUnderAnotherNameIsNotMissing() throws {
    let explanation = try explain("age == 31", dropping: "Z_Employee_byAge")
    #expect(explanation.indexes == ["Z_Employee_age"])
    #expect(explanation.missing.isEmpty)
  }

  @Test func showsScansAndNesting() throws {
    let explanation = try explain("employees.@count > 0", of: "Department")
    #expect(explanation.steps.map(\.depth) == [0, 0, 1])
    #expect(explanation.steps[0].isScan)
    #expect(explanation.indexes == ["ZPERSON_ZDEPARTMENT_INDEX"])
  }

  @Test func aLongListIsServedByAnIndex() throws {
    let ages = (0..<5_000).map { FormatExpression.value(.integer($0)) }
    let isListed = FormatComparison(.keyPath("age"), .in, FormatExpression(.list(ages)))
    let query = try StoreFetchRequest(entity: "Employee", predicate: .comparison(isListed))
      .sql(in: store.layout)
    let explanation = try store.inside {
      try Explanation(query.sql, in: store.layout, on: $0)
    }
    #expect(explanation.indexes == ["Z_Employee_byAge"])
  }

  @Test func advisesAnIndexForALargeTable() throws {
    #expect(try explain("name == 'Ann'", of: "Person").advised == [])
    _ = try store.inside {
      try $0.run(
        """
        WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 12000) \
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 4, 1, 'n' || i FROM n
        """)
    }
    let advised = try explain("name == 'Ann'", of: "Person").advised
    #expect(advised == [.init(entity: "Person", property: "name", table: "ZPERSON")])
    #expect(try explain("name CONTAINS 'Ann'", of: "Person").advised == [])
    #expect(try explain("TRUEPREDICATE", of: "Person").advised == [])
    #expect(try explain("age == 31").advised == [])
  }

  @Test func prefixesAreSearchedInAnIndex() throws {
    _ = try store.inside { try $0.run("CREATE INDEX byName ON ZPERSON (ZNAME)") }
    #expect(try explain("name BEGINSWITH 'A'", of: "Person").indexes == ["byName"])
    #expect(try explain("name BEGINSWITH[c] 'A'", of: "Person").indexes.isEmpty)
  }
}
