import SampleData
import StoreDiagnostics
import StoreModel
import StorePredicate
import Testing

@testable import StoreCore

/// `(title == "Home")`: a predicate that identifies one row, wherever an object is expected.
struct RowDescriptionTests {
  private func described(_ text: String) throws -> String? {
    let text = PredicateText(text, context: "in 'department'")
    return try RowDescription(text)?
      .predicate(of: "Department", in: CompanyStore.model).predicate.format
  }

  @Test(arguments: [
    "(name == 'Sales')", " (name == 'Sales')", "\t\n( name == 'Sales' ) ",
    "(name == 'Sales') AND TRUEPREDICATE",
  ])
  func aPredicateInParentheses(text: String) throws {
    #expect(try described(text)?.hasPrefix("name == \"Sales\"") == true)
  }

  @Test(arguments: ["", " ", "Sales", "x-coredata:///Department/p1", "{(1)}"])
  func otherTextsAreNone(text: String) throws {
    #expect(try described(text) == nil)
  }

  @Test func mistakesHaveTheirPlaces() throws {
    #expect(
      try message(" (nmae == 'x')") == """
        error: 'Department' has no property 'nmae' [predicate.unknown-key-path]
           (nmae == 'x')
            ^^^^ in 'department'
          help: did you mean 'name'?

        """)
    let unfinished = try message("(name == ")
    #expect(unfinished.contains("^") && unfinished.contains("in 'department'"), "\(unfinished)")
  }

  private func message(_ text: String) throws -> String {
    do {
      _ = try described(text)
      return ""
    } catch let error as any DiagnosableError {
      return error.diagnostics.map { DiagnosticRenderer().render($0) }.joined()
    }
  }
}
