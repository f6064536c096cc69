@testable import PredicateSQL
import SampleData
import SQLiteAccess
import StorePredicate
import Testing

struct FunctionSQLTests {
  @Test func everyConnectionKnowsTheRegisteredFunctions() throws {
    let known = try MemoryDatabase().inside { connection in
      try connection.rows("SELECT upper(name), narg FROM pragma_function_list").map {
        "\($0[0].text ?? "") \($0[1].integer ?? -1)"
      }
    }
    let missing = FormatFunction.allCases.filter { function in
      guard let name = function.registeredName else { return false }
      return !known.contains("\(name) \(function.arity.lowerBound)")
    }
    #expect(missing == [])
  }

  @Test(
    "A script names a function as the user wrote it",
    arguments: [
      (FormatFunction.squareRoot, "sqrt()"), (.modulus, "modulus:by:"), (.random, "random()"),
      (.randomBelow, "random()"),
    ])
  func wording(function: FormatFunction, words: String) throws {
    #expect(SQLFunctions.wording(of: try #require(function.registeredName)) == words)
  }
}
