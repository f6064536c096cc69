import SampleData
import StoreModel
import StorePredicate
import Testing

@testable import PredicateSQL
@testable import SQLiteAccess

/// More values and longer chains than SQLite accepts in the plain form.
struct LargeListTests {
  private let store: CompanyStore

  init() throws {
    store = try CompanyStore()
  }

  private func names(_ predicate: FormatPredicate, of entity: String = "Employee") throws
    -> [String]
  {
    let request = StoreFetchRequest(
      entity: entity, predicate: predicate,
      result: .values([SelectedValue(.keyPath("name"), name: "name")]))
    let query = try request.sql(in: store.layout)
    return try store.inside { try $0.rows(query.sql).map { $0[0].shortText } }
  }

  private func isIn(_ key: String, _ values: [DataValue]) -> FormatPredicate {
    .comparison(
      FormatComparison(.keyPath(key), .in, FormatExpression(.list(values.map { .value($0) }))))
  }

  @Test func listsOfEveryKindOfValue() throws {
    let numbers = (0..<40_000).map { DataValue.integer($0 + 31) }
    #expect(try names(isIn("age", numbers)) == ["Ann", "Bob", "Zoë"])
    #expect(try names(.not(isIn("age", Array(numbers.dropFirst())))) == ["Bob", "Zoë"])
    let texts = (0..<5_000).map { DataValue.string("name \($0)") }
    #expect(try names(isIn("name", texts + [.string("Zoë")])) == ["Zoë"])
    #expect(try names(isIn("name", texts)).isEmpty)
    let awkward = texts + ["\0", "\"Zoë\\", "\u{1}\n", "😀"].map(DataValue.string)
    #expect(try names(isIn("name", awkward + [.string("Zoë")])) == ["Zoë"])
    let reals = (0..<5_000).map { DataValue.double(Double($0) + 0.5) }
    #expect(try names(isIn("salary", reals)) == ["Bob"])
    let dates = (0..<5_000).map { DataValue.date(Double($0) * -86_400) }
    #expect(try names(isIn("birthday", dates)) == ["Ann"])
    let badges = [DataValue](repeating: .null, count: 300) + [CompanyStore.badge]
    #expect(try names(isIn("badge", badges)) == ["Ann"])
  }

  @Test func listsOfObjects() throws {
    let departments = (1..<2_000).map { DataValue.integer($0) }
    #expect(try names(isIn("department", departments)) == ["Ann", "Bob", "Zoë"])
    let managers = (1..<2_000).map {
      DataValue.objectID(ObjectID(store: nil, entity: "Manager", primaryKey: $0))
    }
    let itself = FormatPredicate.comparison(
      FormatComparison(
        FormatExpression(.selfObject), .in,
        FormatExpression(.list(managers.map { .value($0) }))))
    #expect(try names(itself) == ["Ann"])
  }

  @Test func longChains() throws {
    let tests = (0..<3_000).map {
      FormatPredicate.comparison(FormatComparison(.keyPath("age"), .equal, .value(.integer($0))))
    }
    #expect(try names(.or(tests)) == ["Ann", "Bob", "Zoë"])
    let unequal = (100..<3_000).map {
      FormatPredicate.comparison(FormatComparison(.keyPath("age"), .notEqual, .value(.integer($0))))
    }
    #expect(try names(.and(unequal)) == ["Ann", "Bob", "Zoë"])
  }

  @Test func brokenListsAnswerNothing() {
    let bytes: [UInt8] = [0, 1, 2]
    bytes.withUnsafeBytes { bytes in
      for index in -1...3 { #expect(ValueList.value(at: index, in: bytes) == nil) }
    }
    let pointsOutside: [UInt8] = [200, 0, 0, 0, 1]
    pointsOutside.withUnsafeBytes { #expect(ValueList.value(at: 0, in: $0) == nil) }
    let cutShort: [UInt8] = [4, 0, 0, 0, 3, 255, 0, 0, 0, 65]
    cutShort.withUnsafeBytes { #expect(ValueList.value(at: 0, in: $0) == nil) }
  }
}
