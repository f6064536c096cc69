import Foundation
import StorePredicate
import TestSupport
import Testing

/// The examples of the reference page are correct.
struct ReferencePageTests {
  private let page: ReferencePage

  init() throws {
    page = try ReferencePage()
  }

  @Test func functionsGiveWhatIsSaid() throws {
    let rows = page.table(in: "Functions")
    #expect(rows.count > 30)
    for row in rows {
      let (calls, results) = (ReferencePage.code(in: row[0]), ReferencePage.code(in: row[1]))
      try #require(calls.count == results.count, Comment(rawValue: row[0]))
      for (call, result) in zip(calls, results) {
        for nulls in PredicateEvaluator.NullLogic.allCases {
          var evaluator = PredicateEvaluator(nulls: nulls)
          let isEqual = try FormatPredicate(parsing: "\(call) == \(result)")
          let matches = try evaluator.matches(isEqual, .null)
          #expect(matches, "\(call) is not \(result)")
        }
      }
    }
  }

  @Test func listsEveryFunction() {
    var listed: Set<FormatFunction> = []
    for text in page.code(from: "Functions", upTo: "Examples") {
      for item in (try? FormatExpression.parseList(text, as: .plain)) ?? [] {
        _ = item.expression.rewriting { part -> FormatExpression? in
          if case .function(let function, _) = part.kind { listed.insert(function) }
          return nil
        }
      }
    }
    #expect(FormatFunction.allCases.filter { !listed.contains($0) } == [])
  }

  /// The results use the NULL logic of the store, like the page. `(no name)` is the row without a name.
  @Test func conditionsFindWhatIsSaid() throws {
    let people = try page.objects(in: "Examples")
    let rows = page.table(in: "Examples")
    #expect(people.count == 4 && rows.count > 20)
    let name = try #require(FormatExpression.parseList("name", as: .plain).first).expression
    for row in rows {
      let predicate = try FormatPredicate(
        parsing: try #require(ReferencePage.code(in: row[0]).first))
      var evaluator = PredicateEvaluator(nulls: .sql)
      var found: [String] = []
      for person in people where try evaluator.matches(predicate, person) {
        if case .value(.string(let text)) = try evaluator.value(of: name, person) {
          found.append(text)
        } else {
          found.append("(no name)")
        }
      }
      #expect(found.joined(separator: ", ") == row[1], Comment(rawValue: row[0]))
    }
  }

  @Test func logicsOfNullDifferAsSaid() throws {
    let object = EvaluatedValue.dictionary(["age": .value(.integer(5))])
    let rows = page.table(in: "Two back ends")
    #expect(rows.count > 10)
    for row in rows {
      let text = try #require(ReferencePage.code(in: row[0]).first)
      let predicate = try FormatPredicate(parsing: text)
      for (nulls, said) in [(PredicateEvaluator.NullLogic.sql, row[1]), (.memory, row[2])] {
        var evaluator = PredicateEvaluator(nulls: nulls)
        let isTrue = try evaluator.matches(predicate, object)
        let isFalse = try evaluator.matches(.not(predicate), object)
        let answer = isTrue ? "true" : (isFalse ? "false" : "unknown")
        #expect(answer == said, "\(text), \(nulls)")
      }
    }
  }

  /// Signs and words on the page that aren't conditions or values by themselves.
  private static let notation: Set<String> = [
    "and", "AND", "OR", "||", "&&", "NOT", "!", "#", "\\n \\t \\r", "\\ooo", "\\xHH", "\\uHHHH",
    "YES TRUE", "NO FALSE", "nil NULL", "CAST(\"E621E1F8-…\", \"NSUUID\")", "==", "=", "!=", "<>",
    "<", "<=", "=<", ">", ">=", "=>", "x IN {…}", "NOT x IN {…}", "CONTAINS", "BEGINSWITH",
    "ENDSWITH", "LIKE", "*", "?", "\\", "MATCHES", "ANY", "SOME", "ALL", "NONE", "NOT ANY",
    "@min @max @avg", "**", "* /", "+ -", "<< >>", "& ^ |",
    "….@count > 0", "TERNARY(condition, a, b)",
    "FUNCTION(receiver, \"selector:\", …)", "f(x)", "f:(x)", ".sql", ".memory",
    "[0]", "[FIRST]", "[LAST]", "[SIZE]", "@distinctUnionOf…", "stringByAppendingString:",
    "hasPrefix:", "hasSuffix:", "substringFromIndex:",
    "substringToIndex:", "valueForKey:", "objectForKey:",
  ]

  /// All other texts in backticks are parts of the language and can be parsed.
  @Test func codeParses() {
    let code = page.code(from: "Words, names and literals", upTo: "Lists of expressions")
    #expect(code.count > 200)
    for text in code where !Self.notation.contains(text) {
      let isCondition = (try? FormatPredicate(parsing: text)) != nil
      let isValue = (try? FormatExpression.parseList(text, as: .plain))?.count == 1
      #expect(isCondition || isValue, Comment(rawValue: text))
    }
    for text in Self.notation {
      #expect(
        (try? FormatPredicate(parsing: text)) == nil
          && (try? FormatExpression.parseList(text, as: .plain)) == nil,
        "'\(text)' is language")
    }
  }

  @Test func whatIsRefusedIsRefused() {
    let refused = page.section("Rejected predicates").joined(separator: "\n")
    let code = ReferencePage.code(in: refused)
    #expect(code.count > 5)
    for text in code {
      #expect((try? FormatPredicate(parsing: text)) == nil, "'\(text)' is language")
    }
  }
}
