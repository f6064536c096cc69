import PredicateSQL
import SampleData
import SQLiteAccess
import StoreDiagnostics
import StoreModel
import StorePredicate
import Testing
import TestSupport

/// Predicates as SQL, with the rows that they match. The golden files show for each predicate:
///
///     age > 30 AND nickname != nil
///       FROM ZPERSON t0 WHERE t0.ZAGE > ?1 AND t0.ZNICKNAME IS NOT NULL ORDER BY t0.Z_PK
///       30
///       → Bob
struct PredicateSQLTests {
  let store: CompanyStore

  init() throws {
    store = try CompanyStore()
  }

  func expect(
    _ predicates: [String], of entity: String = "Employee", match golden: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let text = try predicates.map { try describe($0, of: entity) }.joined(separator: "\n")
    Golden.expect(text, matches: "sql/\(golden).txt", sourceLocation: sourceLocation)
  }

  private func describe(_ text: String, of entity: String) throws -> String {
    let request = StoreFetchRequest(
      entity: entity, predicate: try FormatPredicate(parsing: text), result: .objectIDs)
    let query: CompiledQuery
    do throws(CheckErrors) {
      query = try request.sql(
        in: store.layout, storeUUID: CompanyStore.uuid,
        texts: RequestTexts(predicate: PredicateText(text)))
    } catch {
      return text + "\n" + error.diagnostics.map(DiagnosticRenderer().render).joined()
    }
    let (sql, values) = query.sql.rendered()
    let tail = sql[(sql.firstRange(of: "FROM ")?.lowerBound ?? sql.startIndex)...]
    var lines = [text, "  " + tail]
    if !values.isEmpty { lines.append("  " + values.map(\.shortText).joined(separator: ", ")) }
    lines.append("  → " + (try names(query).joined(separator: ", ")))
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns the names of the rows, in order.
  private func names(_ query: CompiledQuery) throws -> [String] {
    try store.inside { connection in
      try connection.rows(query.sql).map { row in
        guard case .integer(let key) = row[0] else { return "?" }
        let table =
          query.sql.rendered().text.contains("FROM ZDEPARTMENT t0")
          ? "ZDEPARTMENT" : "ZPERSON"
        let name = try connection.rows(
          "SELECT ZNAME FROM \(name: table) WHERE Z_PK = \(.number(key))")
        return name.first?.first?.shortText ?? "?"
      }
    }
  }

  @Test func comparisons() throws {
    try expect(
      [
        "age > 30 AND nickname != nil", "age = 31", "age != 31", "NOT age == 31", "nickname == nil",
        "nickname != 'Bobby'", "NOT nickname == 'Bobby'", "nickname == nil OR nickname != 'Bobby'",
        "31 == age", "age BETWEEN {31, 40}", "age IN {31, 52}", "age IN {}", "NOT age IN {}",
        "age IN {31, NULL}", "isActive == YES", "isActive == 0", "isActive == 'no'",
        "birthday < '2001-01-01'", "birthday == CAST(-86400, 'NSDate')",
        "birthday - CAST(age - 5, 'NSDate') == birthday - CAST(age, 'NSDate') + 5",
        "name == CAST(TERNARY(age > 40, nickname, name), 'NSURL')",
        "badge == '00112233-4455-6677-8899-aabbccddeeff'", "rating == 0.1", "rating > 0.1",
        "salary == 2.5", "salary >= 7", "photo == 'AQID'", "TRUEPREDICATE", "FALSEPREDICATE",
        "TRUEPREDICATE AND age == 31", "age == 31 OR age == 52 AND name == 'x'",
        "(age == 31 OR age == 52) AND name BEGINSWITH 'A'", "name == name", "nickname == nickname",
        "age < nil",
      ], match: "comparisons")
  }

  @Test func text() throws {
    try expect(
      [
        "name BEGINSWITH 'zo'", "name BEGINSWITH[cd] 'zo'", "name ENDSWITH 'b'",
        "name CONTAINS 'o'", "name CONTAINS[cd] 'OE'", "name CONTAINS ''", "NOT name CONTAINS ''",
        "name == 'ann'", "name ==[c] 'ann'", "name !=[c] 'ann'", "name ==[n] 'Ann'",
        "name IN[cd] {'ZOE', 'bob'}", "name <[c] 'b'", "name BETWEEN[c] {'A', 'B'}",
        "name LIKE 'B?b'", "name LIKE '*[*]*'", "name LIKE '*50%_\\\\*'", "name LIKE[c] 'b*'",
        "name MATCHES '[A-Z][a-z]+'", "name MATCHES[c] 'ZOË'", "'Bob' IN name",
        "name IN 'Bob, Ann'",
        "nickname CONTAINS nickname", "name BEGINSWITH '\u{10FFFF}'", "name BEGINSWITH '\u{D7FF}'",
        "uppercase(name) == 'ANN'", "lowercase(name) CONTAINS 'bob'", "canonical(name) == 'zoe'",
        "length(name) == 3",
      ], match: "text")
  }

  @Test func toOne() throws {
    try expect(
      [
        "department.name == 'Research'", "department.name == nil", "department.name != 'Research'",
        "department == nil", "department != nil", "department == 1", "department != 1",
        "department.objectID == 1", "department IN {1, 2}",
        "department == 'x-coredata:///Department/p2'",
        "department == 'x-coredata://6F9619FF-8B86-4011-B42D-00CF4FC964FF/Department/p2'",
        "department == 'x-coredata://00000000-0000-0000-0000-000000000000/Department/p2'",
        "department != 'x-coredata://00000000-0000-0000-0000-000000000000/Department/p2'",
        "mentor.mentor == nil",
        "mentor.department.name == 'Research' AND mentor.department.floor == 3",
        "mentor.department == department", "mentor == SELF", "mentor.name == 'Ann' OR age > 50",
        "mentor == 'x-coredata:///Manager/p1'", "mentor == 'x-coredata:///Employee/p1'",
        "mentor != 'x-coredata:///Manager/p2'",
      ], match: "to-one")
  }

  @Test func inheritance() throws {
    try expect(
      [
        "TRUEPREDICATE", "entity == 'Employee'", "entity IN {'Manager', 'Guest'}",
        "entity.name != 'Guest'", "SELF == 'x-coredata:///Manager/p1'",
        "SELF == 'x-coredata:///Guest/p1'", "SELF == 'x-coredata:///Person/p1'",
        "SELF IN {'x-coredata:///Manager/p1', 'x-coredata:///Guest/p5', 'x-coredata:///Guest/p1'}",
        "SELF IN {1, 2, 5}",
      ], of: "Person", match: "inheritance-root")
    try expect(
      [
        "TRUEPREDICATE", "level > 1 OR age == 5", "mentees.@count == 2",
        "mentor.entity == 'Manager'",
      ],
      of: "Manager", match: "inheritance-leaf")
  }

  @Test func toMany() throws {
    try expect(
      [
        "ANY skills.name == 'SQL'", "NONE skills.name == 'SQL'", "NONE mentees.age > 30",
        "ALL skills.name == 'Swift'",
        "ANY skills.name == nil", "ANY skills == 1", "NONE skills != nil", "ANY skills == nil",
        "skills CONTAINS 2", "2 IN skills", "'SQL' IN skills.name", "NOT 'SQL' IN skills.name",
        "skills.@count == 2", "skills.@count > 0", "skills.@count == 0", "skills.@count < 1",
        "mentees.@count >= 2", "mentees.@count == 0", "ANY mentees.age > 30",
        "ANY mentees.skills.name == 'Swift'", "ANY department.employees.name == 'Bob'",
        "ANY mentees.department.name == 'Sales'", "SOME mentees IN {2}",
        "ANY skills.name BEGINSWITH[c] 's'", "ANY skills.people.department.name == 'Sales'",
        "ANY name == 'Bob'", "mentees.@sum.age == 62", "mentees.@sum.age == 0",
        "mentees.@avg.salary == nil", "mentees.@max.age >= 31", "max(mentees.age) == 31",
        "sum(mentees.age) > 60", "count(mentees) == 2", "skills[SIZE] == 2",
        "ANY mentees.mentor.name == name",
      ], match: "to-many")
  }

  @Test func subqueries() throws {
    try expect(
      [
        "SUBQUERY(employees, $e, $e.age > 50).@count > 0",
        "SUBQUERY(employees, $e, $e.age > 50 OR $e.name == name).@count == 1",
        "SUBQUERY(employees, $e, $e.mentor.department == SELF).@count != 0",
        "SUBQUERY(employees, $e, SUBQUERY($e.skills, $s, $s.name == 'SQL').@count > 0).@count == 1",
        "SUBQUERY(employees, $e, ANY $e.skills.name == 'Swift').@count == employees.@count",
        "SUBQUERY(employees, $e, NOT ($e.age > 40)).@count == 0",
        "SUBQUERY(employees, $e, $e.age > 40).@max.age == 52",
        "ANY SUBQUERY(employees, $e, $e.age > 40).name == 'Ann'",
        "SUBQUERY(employees.skills, $s, $s.name == 'Swift')[SIZE] == 2",
        "SUBQUERY(employees, $e, $e.age > 40).@count == 1 AND name == 'Research'",
        "notes.@count == 2", "ANY notes.text == 'second'", "employees.@count > notes.@count",
      ], of: "Department", match: "subqueries")
  }

  @Test func arithmetic() throws {
    try expect(
      [
        "age / 2 == 15", "age / 2.0 == 15.5", "salary / 2 == 3.5", "age + 1 > 32",
        "age * (1 + 1) == 62",
        "-age == -31", "age / 0 == 1", "age ** 2 == 961", "age & 1 == 1", "(age | 1) ^ 1 == 30",
        "age >> 1 == 15", "modulus:by:(age, 10) == 1", "birthday + 86400 == '2001-01-01'",
        "now() - birthday > 0", "abs(age - 40) == 9", "max(age, 40) == 52", "min({age, 40}) == 31",
        "TERNARY(isActive == YES, 1, 2) == 2", "sqrt(age * 31) == 31", "floor(salary) == 2",
        "ceiling(salary) == 3", "age + nil == 1", "age + age * 2 == 93", "average(age, 33) == 32",
      ], match: "arithmetic")
  }

  @Test func whatAStoreCannotAnswer() throws {
    try expect(
      [
        "mentees[0].age == 3", "(skills UNION {1})[FIRST] == 1", "FUNCTION(name, 'lenght') == 3",
        "FUNCTION(name, 'length', 2) == 3", "FUNCTION(age, 'uppercaseString') == '3'",
        "name[0] == 'A'", "name['length'] == 3", "age.size == 3", "skills UNION 1 CONTAINS 2",
        "skills UNION department.notes CONTAINS 1", "skills.name ==[c] {'sql'}",
        "distanceToLocation:fromLocation:(SELF, mentor) < 100", "median(name) == 1",
        "TERNARY(age > 3, skills, skills) CONTAINS 2", "median(age) > 3",
        "$X == name", "sum(age) > 3", "age == 'x' AND nmae == 'y'",
      ], match: "refusals")
  }
}
