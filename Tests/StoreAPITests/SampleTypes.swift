import Foundation
import StoreModel
import StoreModelReader
import StorePredicate

// Types of sample models, as `storetool generate` writes them.

enum ShopModel: SchemaModel {
  static let model = SampleSchema.model("Shop")
  static let versionHashes: [String: String] = [:]
}

enum CompanyModel: SchemaModel {
  static let model = SampleSchema.model("Company")
  static let versionHashes: [String: String] = [:]
}

private enum SampleSchema {
  static func model(_ name: String) -> Model {
    do {
      return try SampleStore.bundle(name).requireCurrentVersion().read().model
    } catch {
      preconditionFailure("the sample model \(name): \(error)")
    }
  }
}

struct Product: StoredObject {
  var amount: Int32
  var country: String?
  var price: Decimal?
  var title: String

  init(amount: Int32 = 0, country: String? = nil, price: Decimal? = 0, title: String) {
    self.amount = amount
    self.country = country
    self.price = price
    self.title = title
  }

  struct Properties: ObjectProperties {
    typealias Owner = Product
    var amount: AttributePath<Product, Int32> { AttributePath("amount") }
    var country: AttributePath<Product, String?> { AttributePath("country") }
    var price: AttributePath<Product, Decimal?> { AttributePath("price") }
    var title: AttributePath<Product, String> { AttributePath("title") }
  }

  static let entityName = "Product"
  static let entityNames: Set<String> = ["Product"]
  static let propertyNames = ["amount", "country", "price", "title"]

  init(row: inout some RowReader) throws {
    amount = try row.read()
    country = try row.read()
    price = try row.read()
    title = try row.read()
  }

  var propertyValues: [String: Value] {
    [
      "amount": amount.storeValue, "country": country.storeValue, "price": price.storeValue,
      "title": title.storeValue,
    ]
  }
}

struct Item: StoredObject {
  var createdAt: Date?
  var done: Bool
  var name: String
  var note: String?
  var priority: Int16

  init(
    createdAt: Date? = nil, done: Bool = false, name: String, note: String? = nil,
    priority: Int16 = 0
  ) {
    self.createdAt = createdAt
    self.done = done
    self.name = name
    self.note = note
    self.priority = priority
  }

  struct Properties: ObjectProperties {
    typealias Owner = Item
    var createdAt: AttributePath<Item, Date?> { AttributePath("createdAt") }
    var done: AttributePath<Item, Bool> { AttributePath("done") }
    var name: AttributePath<Item, String> { AttributePath("name") }
    var note: AttributePath<Item, String?> { AttributePath("note") }
    var priority: AttributePath<Item, Int16> { AttributePath("priority") }
  }

  static let entityName = "Item"
  static let entityNames: Set<String> = ["Item"]
  static let propertyNames = ["createdAt", "done", "name", "note", "priority"]

  init(row: inout some RowReader) throws {
    createdAt = try row.read()
    done = try row.read()
    name = try row.read()
    note = try row.read()
    priority = try row.read()
  }

  var propertyValues: [String: Value] {
    [
      "createdAt": createdAt.storeValue, "done": done.storeValue, "name": name.storeValue,
      "note": note.storeValue, "priority": priority.storeValue,
    ]
  }
}

struct Department: StoredObject {
  var floor: Int16?
  var name: String

  init(floor: Int16? = nil, name: String) {
    self.floor = floor
    self.name = name
  }

  struct Properties: ObjectProperties {
    typealias Owner = Department
    var floor: AttributePath<Department, Int16?> { AttributePath("floor") }
    var name: AttributePath<Department, String> { AttributePath("name") }
    var employees: ToManyPath<Department, Employee> { ToManyPath("employees") }
  }

  static let entityName = "Department"
  static let entityNames: Set<String> = ["Department"]
  static let propertyNames = ["floor", "name"]

  init(row: inout some RowReader) throws {
    floor = try row.read()
    name = try row.read()
  }

  var propertyValues: [String: Value] {
    ["floor": floor.storeValue, "name": name.storeValue]
  }
}

struct Employee: StoredObject {
  var age: Int16
  var hiredAt: Date?
  var name: String
  var salary: Decimal?
  var department: Department.ID?

  init(
    age: Int16 = 18, hiredAt: Date? = nil, name: String, salary: Decimal? = nil,
    department: Department.ID? = nil
  ) {
    self.age = age
    self.hiredAt = hiredAt
    self.name = name
    self.salary = salary
    self.department = department
  }

  struct Properties: ObjectProperties {
    typealias Owner = Employee
    var age: AttributePath<Employee, Int16> { AttributePath("age") }
    var hiredAt: AttributePath<Employee, Date?> { AttributePath("hiredAt") }
    var name: AttributePath<Employee, String> { AttributePath("name") }
    var salary: AttributePath<Employee, Decimal?> { AttributePath("salary") }
    var department: ToOnePath<Employee, Department> { ToOnePath("department") }
  }

  static let entityName = "Employee"
  static let entityNames: Set<String> = ["Employee", "Manager"]
  static let propertyNames = ["age", "hiredAt", "name", "salary", "department"]

  init(row: inout some RowReader) throws {
    age = try row.read()
    hiredAt = try row.read()
    name = try row.read()
    salary = try row.read()
    department = try row.read()
  }

  var propertyValues: [String: Value] {
    [
      "age": age.storeValue, "hiredAt": hiredAt.storeValue, "name": name.storeValue,
      "salary": salary.storeValue, "department": department.storeValue,
    ]
  }
}

struct Team: StoredObject {
  var city: String?
  var founded: Int16?
  var name: String
  var points: Int16

  init(city: String? = nil, founded: Int16? = nil, name: String, points: Int16 = 0) {
    self.city = city
    self.founded = founded
    self.name = name
    self.points = points
  }

  struct Properties: ObjectProperties {
    typealias Owner = Team
    var city: AttributePath<Team, String?> { AttributePath("city") }
    var founded: AttributePath<Team, Int16?> { AttributePath("founded") }
    var name: AttributePath<Team, String> { AttributePath("name") }
    var points: AttributePath<Team, Int16> { AttributePath("points") }
  }

  static let entityName = "Team"
  static let entityNames: Set<String> = ["Team"]
  static let propertyNames = ["city", "founded", "name", "points"]

  init(row: inout some RowReader) throws {
    city = try row.read()
    founded = try row.read()
    name = try row.read()
    points = try row.read()
  }

  var propertyValues: [String: Value] {
    [
      "city": city.storeValue, "founded": founded.storeValue, "name": name.storeValue,
      "points": points.storeValue,
    ]
  }
}
