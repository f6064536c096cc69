import Foundation
import StoreModel
import StorePredicate
import TestSupport
import Testing

extension Product.Properties {
  /// A computed value with its own name.
  fileprivate var worth: ComputedValue<Product, Decimal?> { \.price * \.amount }
}

/// Typed requests return what the command line prints for the same request.
@Suite(.enabled(if: SQLiteShell.executable != nil))
struct TypedAgainstCommandTests {
  @Test func products() async throws {
    let shop = try await CommandRows("Shop", loading: "batch-insert Product Shop.csv")
    try await shop.expect(Product.all, "fetch Product")
    try await shop.expect(
      Product.all.where(\.price > 10 && \.country != nil)
        .ordered(by: \.country, .descending(\.price)).limit(4),
      "fetch Product --where 'price > 10 AND country != nil' --sort country,-price --limit 4")
    try await shop.expect(
      Product.all.where(\.price * \.amount > 50 || .contains(\.title, "A", [.caseInsensitive]))
        .ordered(by: \.title).offset(1),
      "fetch Product --where 'price * amount > 50 OR title CONTAINS[c] \"A\"' --sort title --offset 1"
    )
  }

  @Test func aggregatesAndDistinctValues() async throws {
    let shop = try await CommandRows("Shop", loading: "batch-insert Product Shop.csv")
    try await shop.expect(
      Product.all.select(
        \.price.sum, \.price.average, \.amount.max, \.title.min, \.country.count),
      "fetch Product --select 'sum(price) AS a,avg(price) AS b,max(amount) AS c,min(title) AS d,count(country) AS e'"
    )
    try await shop.expect(
      Product.all.grouped(by: \.country).having(\.amount.sum > 10)
        .select(\.country, \.amount.sum, \.price.average, \.title.count),
      """
      fetch Product --group-by country --having 'sum(amount) > 10' \
      --select 'country AS a,sum(amount) AS b,avg(price) AS c,count(title) AS d'
      """)
    try await shop.expect(
      Product.all.select(\.price.median, \.price.stddev, \.price.sum),
      "fetch Product --select 'median(price) AS a,stddev(price) AS b,sum(price) AS c'")
    try await shop.expect(
      Product.all.grouped(by: \.country).having(\.price.median > 3)
        .select(\.country, \.price.median, \.amount.stddev),
      """
      fetch Product --group-by country --having 'median(price) > 3' \
      --select 'country AS a,median(price) AS b,stddev(amount) AS c'
      """)
    try await shop.expect(
      Product.all.select(\.country).distinct(), "fetch Product --select 'country AS a' --distinct")
    try await shop.expect(
      Product.all.where(\.amount == 0).ordered(by: \.title).select(\.country, \.amount).distinct(),
      "fetch Product --where 'amount == 0' --sort title --select 'country AS a,amount AS b' --distinct"
    )
  }

  @Test func computedValues() async throws {
    let shop = try await CommandRows("Shop", loading: "batch-insert Product Shop.csv")
    try await shop.expect(
      Product.all.where(\.worth > 0).ordered(by: .descending(\.worth), \.title)
        .select(\.title, \.worth),
      """
      fetch Product --where 'price * amount > 0' --sort '-price * amount,title' \
      --select 'title AS a,price * amount AS b'
      """)
    try await shop.expect(
      Product.all.grouped(by: \.country).select(\.country, \.worth.sum, \.worth.max),
      """
      fetch Product --group-by country \
      --select 'country AS a,sum(price * amount) AS b,max(price * amount) AS c'
      """)
  }

  @Test func items() async throws {
    let todo = try await CommandRows("Todo", loading: "batch-insert Item Todo.ndjson")
    try await todo.expect(Item.all, "fetch Item")
    try await todo.expect(
      Item.all.where(!(\.done == true) && .between(\.priority, 1...3)).ordered(by: \.createdAt),
      "fetch Item --where 'NOT done == YES AND priority BETWEEN {1, 3}' --sort createdAt")
    try await todo.expect(
      Templates.urgentItems(priority: 2), "apply-template urgentItems PRIORITY=2")
    let day = Date(timeIntervalSince1970: 1_767_398_400)
    try await todo.expect(
      Templates.itemsCreatedSince(day: day), "apply-template itemsCreatedSince DAY=2026-01-03")
  }

  @Test func employeesAndDepartments() async throws {
    let company = try await CommandRows(
      "Company", loading: "import Company.json --entity Department")
    try await company.expect(
      Employee.all.ordered(by: \.department.name, \.name, .descending(\.age)),
      "fetch Employee --sort department.name,name,-age")
    try await company.expect(
      Department.all.where(\.employees.any.age > 45),
      "fetch Department --where 'ANY employees.age > 45'")
    try await company.expect(
      Department.all.where(\.employees.all.age > 22),
      "fetch Department --where 'ALL employees.age > 22'")
    try await company.expect(
      Department.all.where(\.employees.count >= 3).select(
        \.name, \.employees.count, \.employees.salary.sum, \.employees.age.average,
        \.employees.age.max),
      """
      fetch Department --where 'employees.@count >= 3' --select 'name AS a,employees.@count AS b,\
      employees.@sum.salary AS c,employees.@avg.age AS d,employees.@max.age AS e'
      """)
    try await company.expect(
      Department.all.select(\.name, \.employees.age.median, \.employees.salary.stddev),
      """
      fetch Department --select 'name AS a,median(employees.age) AS b,stddev(employees.salary) AS c'
      """)
    try await company.expect(
      Templates.employeesInDepartment(department: "Research"),
      "apply-template employeesInDepartment DEPARTMENT=Research")
    try await company.expect(
      Employee.all.grouped(by: \.department.name).select(\.department.name, \.salary.max),
      "fetch Employee --group-by department.name --select 'department.name AS a,max(salary) AS b'")
  }

  @Test func teamsAndPlayers() async throws {
    let league = try await CommandRows("League", loading: "import League.json --entity Team")
    try await league.expect(Team.all, "fetch Team")
    try await league.expect(
      Player.all.where(\.team.points > 40).ordered(by: .descending(\.goals), .ascending(\.name)),
      "fetch Player --where 'team.points > 40' --sort -goals,name")
    try await league.expect(
      Templates.teamsWithScorer(goals: 11), "apply-template teamsWithScorer GOALS=11")
    try await league.expect(
      Templates.scorers(low: 5, high: 17), "apply-template scorers LOW=5 HIGH=17")
  }

  @Test func people() async throws {
    let people = try await CommandRows("People", loading: "import People.ndjson")
    try await people.expect(Person.all, "fetch Person")
    try await people.expect(
      Person.all.where(\.groups.any.name == "Choir" && \.city.country != "Taiwan")
        .ordered(by: \.name),
      "fetch Person --where 'ANY groups.name == \"Choir\" AND city.country != \"Taiwan\"' --sort name"
    )
    try await people.expect(Templates.peopleFR(name: "Ray"), "apply-template peopleFR NAME=Ray")
    try await people.expect(
      Templates.peopleWithNumbers(numbers: [3, 5, 8]),
      "apply-template peopleWithNumbers 'NUMBERS:={3, 5, 8}'")
    try await people.expect(
      Templates.sociablePeople(count: 2), "apply-template sociablePeople COUNT=2")
    try await people.expect(
      City.all.where(\.people.count > 1).select(\.name, \.people.count, \.people.birthday.min),
      """
      fetch City --where 'people.@count > 1' \
      --select 'name AS a,people.@count AS b,people.@min.birthday AS c'
      """)
  }
}
