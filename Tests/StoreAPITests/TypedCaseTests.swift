import Foundation
import StoreDiagnostics
import StoreEngine
import StoreModel
import StorePredicate
import TestSupport
import Testing

/// Typical first programs of Core Data users.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(10)))
struct TypedCaseTests {
  @Test func departmentAndEmployee() async throws {
    let folder = try TemporaryFolder()
    let store = try await PersistentStore.create(
      folder.path("Company.sqlite"), schema: CompanyModel.self)
    let research = try await store.create(Department(floor: 2, name: "Research"))
    let sales = try await store.create(Department(floor: 1, name: "Sales"))
    let ada = try await store.create(
      Employee(age: 36, name: "Ada", salary: 5_200, department: research))
    try await store.create([
      Employee(age: 52, name: "Ben", salary: 4_100, department: sales),
      Employee(age: 24, name: "Cem", salary: 3_900, department: sales),
      Employee(age: 41, name: "Dana"),
    ])
    #expect(
      try await store.fetch(
        Employee.all.where(\.department.name == "Sales").ordered(by: \.name)
      ).map(\.name) == ["Ben", "Cem"])
    #expect(try await store.fetch(Employee.all.where(\.department == nil)).map(\.name) == ["Dana"])
    #expect(
      try await store.fetch(Department.all.where(\.employees.any.age > 50)).map(\.name)
        == ["Sales"])
    #expect(
      try await store.fetch(Department.all.where(\.employees.all.age > 30)).map(\.name)
        == ["Research"])
    #expect(
      try await store.fetch(Department.all.where(\.employees.count == 2)).map(\.id) == [sales])
    let costs = try await store.fetch(
      Employee.all.where(\.department != nil).grouped(by: \.department.name)
        .having(\.salary.sum > 6_000)
        .select(\.department.name, \.salary.sum, \.age.max, \.name.count))
    #expect(costs.map(\.0) == ["Sales"])
    #expect(costs.map(\.1) == [8_000])
    #expect(costs.map(\.2) == [52])
    #expect(costs.map(\.3) == [2])
    try await store.update(ada) { $0.department = sales }
    try await store.delete(research)
    #expect(try await store.fetch(Department.all.count) == 1)
    #expect(try await failure { try await store.delete(sales) }?.reason == .deletionDenied)
  }

  @Test func toDoListWithManyItemsAndItsProgress() async throws {
    let sample = try await SampleStore("Todo")
    // Progress is reported every ten thousand rows.
    let count = 250_000
    _ = try sample.rows(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZDONE, ZNAME, ZPRIORITY)
      SELECT i, 1, 1, i % 2, 'item ' || i, i % 5 FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = \(count) WHERE Z_NAME = 'Item';
      """)
    let store = sample.store
    var seen = 0
    var open = 0
    for try await batch in store.stream(Item.all, batchSize: 10_000, countsTotal: true) {
      seen += batch.count
      open += batch.count { !$0.done }
      #expect(batch.progress == BatchProgress(rows: seen, total: count))
    }
    #expect(seen == count)
    #expect(open == count / 2)
    let notes = ProgressNotes()
    let outcome = try await store.batchUpdate(Item.self) { $0.done = true }
      .where(\.done == false, progress: notes.note)
    #expect(outcome.changed == count / 2)
    let rows = notes.all.map(\.rows)
    #expect(rows == rows.sorted() && rows.count > 10)
    #expect(notes.all.last == BatchProgress(rows: count / 2, total: count / 2))
    #expect(try await store.fetch(Item.all.where(\.done == false).count) == 0)
  }

  @Test func queryBuildersExamples() async throws {
    let store = try await SampleStore("Shop").store
    try await store.create([
      Product(amount: 5, country: "Japan", price: 12.5, title: "Sencha"),
      Product(amount: 1, country: "Japan", price: 30, title: "Sencha"),
      Product(amount: 0, country: "India", price: 10, title: "Assam"),
      Product(amount: 9, country: "India", price: 11, title: "Nilgiri"),
    ])
    let dear = Product.all.where(\.price > 10).ordered(by: \.title, .descending(\.price)).limit(10)
    #expect(try await store.fetch(dear).map(\.title) == ["Nilgiri", "Sencha", "Sencha"])
    #expect(try await store.fetch(dear).map(\.price) == [11, 30, 12.5])
    let titles = try await store.fetch(dear.select(\.title).distinct())
    #expect(titles == ["Nilgiri", "Sencha"])
    #expect(try await store.fetch(dear.count) == 3)
    #expect(try await store.fetch(dear.ids).map(\.objectID.primaryKey) == [4, 2, 1])
    let countries = try await store.fetch(
      Product.all.grouped(by: \.country).having(\.amount.sum > 6)
        .select(\.country, \.price.sum, \.price.average))
    #expect(countries.map(\.0) == ["India"])
    #expect(countries.map(\.1) == [21])
    #expect(countries.map(\.2) == [10.5])
  }

  @Test func batchRequestsExample() async throws {
    let sample = try await SampleStore.items(10)
    let store = sample.store
    try await store.batchUpdate(Item.self) { $0.done = true }.where(\.done == false)
    #expect(try await store.fetch(Item.all.where(\.done == true).count) == 10)
    try await sample.store.close()
  }

  @Test func sumAndAverageByCountry() async throws {
    let sample = try await SampleStore("Shop")
    let store = sample.store
    try await store.batchInsert(
      contentsOf: BuiltCommand.repository.appendingPathComponent("Models/Data/Shop.csv").path,
      into: "Product")
    let byCountry = try await store.fetch(
      Product.all.grouped(by: \.country).having(\.title.count > 1)
        .select(\.country, \.price.sum, \.price.average, \.amount.sum, \.title.count))
    let expected = try sample.rows(
      """
      SELECT ifnull(ZCOUNTRY, ''), sum(ZPRICE), avg(ZPRICE), sum(ZAMOUNT), count(ZTITLE) FROM ZPRODUCT
      GROUP BY ZCOUNTRY HAVING count(ZTITLE) > 1 ORDER BY ZCOUNTRY
      """
    ).map { $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init) }
    #expect(byCountry.map { $0.0 ?? "" } == expected.map { $0[0] })
    for (row, values) in zip(byCountry, expected) {
      let sum = NSDecimalNumber(decimal: row.1).doubleValue
      #expect(abs(sum - (Double(values[1]) ?? 0)) < 0.000_001)
      #expect(abs((row.2 ?? 0) - (Double(values[2]) ?? 0)) < 0.000_001)
      #expect(row.3 == Int64(values[3]))
      #expect(row.4 == Int(values[4]))
    }
    #expect(!byCountry.isEmpty)
  }
}
