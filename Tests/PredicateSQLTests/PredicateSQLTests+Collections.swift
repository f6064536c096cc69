import PredicateSQL
import SampleData
import StoreModel
import StorePredicate
import SQLiteAccess
import Testing

/// SQL of collection expressions.
extension PredicateSQLTests {
  /// The employees of a department are ordered: Bob before Ann.
  @Test func places() throws {
    try expect(
      [
        "employees[0].name == 'Bob'", "employees[FIRST].name == 'Bob'",
        "employees[LAST].name == 'Ann'", "employees[1] == 'x-coredata:///Employee/p1'",
        "employees[7] == nil", "employees[-1] == nil", "employees[floor - 2].name == 'Ann'",
        "employees[employees.@count - 1].name == 'Ann'", "employees.name[1] == 'Ann'",
        "employees.age[SIZE] == 2", "{name, 'x'}[FIRST] == 'Research'", "{}[LAST] == nil",
        "{floor, 2}[floor - 2] == 2", "{5, 6}[9] == nil", "employees[1].skills.@count == 2",
        "ANY employees[LAST].skills.name == 'SQL'", "employees[0].mentor.name == 'Ann'",
        "SUBQUERY(employees, $e, $e.age > 40)[FIRST].name == 'Ann'",
        "objectFrom:withIndex:(employees, 0).age == 31", "employees[0]['name'] == 'Bob'",
        "SELF['name'] == 'Sales'", "notes[SIZE] == 2",
      ], of: "Department", match: "places")
  }

  /// Each level is compiled once, so the size of the statement is proportional to the text.
  @Test func nestedPlacesGrowWithTheText() throws {
    func size(_ levels: Int) throws -> Int {
      let place = (0..<levels).reduce("0") { place, _ in "employees[\(place)].department.floor" }
      let request = StoreFetchRequest(
        entity: "Department", predicate: try FormatPredicate(parsing: "\(place) == 1"))
      return try request.sql(in: store.layout).sql.segments.count
    }
    let (first, second, last) = (try size(1), try size(2), try size(15))
    #expect(last == first + 14 * (second - first))
  }

  @Test func sets() throws {
    try expect(
      [
        "'Bob' IN employees.name UNION {'Sales'}", "name IN employees.name UNION {'Sales', nil}",
        "employees.name UNION {name} CONTAINS 'Sales'",
        "count(employees.age INTERSECT {31, 40}) == 1",
        "(employees MINUS SUBQUERY(employees, $e, $e.age > 40)).@count == 1",
        "ANY (employees MINUS {1}).name == 'Bob'", "ANY employees.age MINUS {31} > 40",
        "ANY employees UNION {3} IN {3}", "ALL {1, 2} UNION {floor} < 3",
        "(employees.age UNION {floor} MINUS {31, nil})[SIZE] == 2",
        "({1, 2} MINUS ({floor} UNION {2})).@count == 1", "employees.age UNION {} == {31, 52}",
        "employees.name == {'Bob', 'Ann'}", "employees.name == {'Ann', 'Bob'}",
        "notes.text == {'second', 'first'}", "employees.name != {'Bob', 'Ann'}",
        "employees.@distinctUnionOfObjects.age.@count == 2",
        "52 IN employees.@distinctUnionOfObjects.age",
        "sum(employees.@distinctUnionOfObjects.age) == 83",
        "employees.@distinctUnionOfObjects.age.@max.self == 52",
        "employees.@unionOfObjects.name[0] == 'Bob'",
        "employees.@distinctUnionOfArrays.skills.name == {'Swift', 'SQL'}",
        "employees.@distinctUnionOfObjects.department.name == {'Research'}",
        "employees.@distinctUnionOfObjects.mentor.@count == 1",
        "SUBQUERY({1, 2, 3}, $n, $n < floor).@count == 2",
        "SUBQUERY(employees.name UNION {name}, $n, $n BEGINSWITH 'S').@count == 1",
      ], of: "Department", match: "sets")
  }

  @Test func statistics() throws {
    try expect(
      [
        "median(employees.age) == 41.5", "stddev(employees.age) == 10.5",
        "max({}) == nil AND min({}) == nil AND sum({}) == 0 AND avg({}) == nil",
        "median(1, 2, floor) == 2", "median({floor}) == 3", "mode(employees.age) == {31, 52}",
        "31 IN mode(employees.age)", "mode({1, floor, 3}) == {3}", "mode(1, 1, floor)[0] == 1",
        "random() >= 0 AND random(1) == 0", "random(floor) == nil",
      ], of: "Department", match: "statistics")
  }

  @Test func methods() throws {
    try expect(
      [
        "FUNCTION(name, 'length') == 5", "FUNCTION(name, 'substringToIndex:', 3) == 'Res'",
        "FUNCTION(name, 'substringFromIndex:', 99) == nil",
        "FUNCTION(name, 'hasPrefix:', 'Sa') == YES",
        "FUNCTION('7 km', 'integerValue') == floor + 4",
        "FUNCTION(name, 'stringByAppendingString:', '!') == 'Sales!'",
        "FUNCTION(name, 'uppercaseString') BEGINSWITH 'RE'", "FUNCTION(employees, 'count') == 2",
        "FUNCTION(SELF, 'valueForKey:', 'name') == 'Sales'", "FUNCTION('add:to:', floor, 1) == 4",
      ], of: "Department", match: "methods")
  }

  /// Numbers near the limits of 64 bits.
  @Test func largeNumbers() throws {
    try expect(
      [
        "modulus(9007199254740993 + floor - floor, 10) == 3",
        "abs(-9223372036854775807 - floor + 2) > 9.2e18",
        "sum({9223372036854775807, floor}) > 9.2e18", "employees.@sum.salary > 9",
        "floor IN {nil, 3}", "NOT floor IN {nil, 3}", "name IN[c] {nil, 'SALES'}",
        "NOT name IN[c] {nil, 'SALES'}", "nil IN employees.name", "NOT nil IN employees.name",
      ], of: "Department", match: "edges")
  }
}
