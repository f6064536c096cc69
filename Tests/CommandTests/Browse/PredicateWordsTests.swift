import SampleData
import StoreModel
import Testing

@testable import storetool

@Suite("Completions of a predicate on the page")
struct PredicateWordsTests {
  private func words(_ text: String) throws -> [String] {
    let model = CompanyStore.model
    let employee = try #require(model.entity(named: "Employee"))
    return PredicateWords(text).candidates(from: employee, in: model).map(\.insert)
  }

  @Test("At the start a key path, or what begins a condition")
  func start() throws {
    let words = try words("")
    #expect(words.contains("name"))
    #expect(words.contains("NOT"))
    #expect(!words.contains("=="))
  }

  @Test(
    "An operator follows a key path, and AND or OR follows a value",
    arguments: [
      ("name ", "=="), ("name BEG", "BEGINSWITH"), ("name == \"x\" ", "AND"), ("age > 3 O", "OR"),
      ("NOT (name == 'x') ", "AND"), ("name BEGINSWITH[cd] 'a' ", "OR"), ("(na", "name"),
      ("name == 'x' AND a", "age"), ("name == ", "nil"), ("age BETWEEN {1, 2} ", "AND"),
      ("name == upper", "uppercase:("), ("len", "length:("), ("length:(", "name"),
      ("length:(name) ", ">"), ("modulus:by:(age, 2) ", "=="), ("age > length:(name) ", "AND"),
      ("(age + 1) ", "<"), ("age + ", "age"), ("!(age > 3) ", "AND"), ("age << 1 ", "=="),
      ("name IN ('a', 'b') ", "OR"), ("ANY department.employees.@count ", ">"),
      ("SUBQUERY(department.employees, $x, $x.age > 3 ", "AND"),
      ("SUBQUERY(department.employees, $x, $x.age > 3).@count ", "=="), ("now", "now()"),
    ])
  func next(text: String, wanted: String) throws {
    #expect(try words(text).contains(wanted))
  }

  @Test("Only the last step of a key path is replaced")
  func steps() throws {
    let model = CompanyStore.model
    let employee = try #require(model.entity(named: "Employee"))
    let found = PredicateWords("department.na").candidates(from: employee, in: model)
    #expect(found.first?.insert == "name")
    #expect(found.first?.length == 2)
  }

  @Test(
    "No completions within a text, after the '$' of a variable, or where only a comma is valid",
    arguments: ["name == \"de", "name == $N", "modulus:by:(age "])
  func nothing(text: String) throws {
    #expect(try words(text).isEmpty)
  }
}
