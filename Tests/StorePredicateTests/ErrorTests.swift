import StoreDiagnostics
import StorePredicate
import TestSupport
import Testing

struct ErrorTests {
  /// `«»` marks the position of the error.
  @Test(
    arguments: [
      ("age == «»", .expected(.value)), ("«»", .emptyText), ("  «»", .emptyText),
      ("«age»", .bareExpression), ("a == 1 AND «age»", .bareExpression),
      ("NOT «(a + b)»", .bareExpression), ("age «LIK» 'x'", .expected(.comparisonOperator)),
      ("a == 1 «b» == 2", .expected(.connective)), ("(a == 1«»", .expected(.closing(")"))),
      ("a == 1«)»", .expected(.connective)), ("a == «=» 1", .expected(.value)),
      ("a < b «<» c", .chainedComparison), ("x «NOT IN» y", .notBeforeOperator("IN")),
      ("a IN «(1,» 2)", .listInParentheses), ("a ==[«cx»] 'x'", .unknownOption("x")),
      ("«like» == 1", .reservedWord("LIKE")), ("a == «'x»", .unterminatedString),
      ("a == «“»", .strayCharacter("“")), ("a == «12abc»", .malformedNumber),
      ("a == «99999999999999999999»", .numberOutOfRange), ("a == «1e999»", .numberOutOfRange),
      ("a == '«\\uD800»'", .loneSurrogate), ("«lenght»(a) == 1", .unknownFunction("lenght")),
      ("«now(1)» == 1", .argumentCount(function: "now", expected: 0...0, found: 1)),
      ("a.«@cuont» == 1", .unknownCollectionOperator("@cuont")),
      ("CAST(a, «'NSDat'») == 1", .unknownCastType("NSDat")),
      ("CAST(«'x'», 'NSUUID') == a", .unreadableCast("x", type: "NSUUID")),
      ("(a == 1) «==» 2", .expected(.connective)),
      ("SUBQUERY(a, «b», c == 1) == 1", .expected(.variable)),
      ("sum(«(a == 1)») == 1", .conditionAsValue), ("a. «==» 1", .expected(.key)),
      ("a == «$»", .missingName(after: "$")), ("a == «%@»", .placeholderWithoutArguments),
      ("a == «%%»", .unknownPlaceholder), ("«ANYKEY» == 1", .unsupported(.anyKey)),
      ("$a «:=» 1", .unsupported(.assignment)),
      ("a «isKindOfClass»: b", .unsupported(.customSelector)),
      ("a «UTI-EQUALS» 'x'", .unsupported(.utiEquals)), ("a[«»", .expected(.value)),
      ("größe == «}»", .expected(.value)),
    ] as [(String, PredicateSyntaxError.Kind)])
  func pointsAtTheMistake(marked: String, kind: PredicateSyntaxError.Kind) throws {
    // The opening mark can't be a part of the input: `“` isn't `«`.
    let parts = marked.split(separator: "«", omittingEmptySubsequences: false)
    let before = String(parts[0])
    let inside = parts[1].split(separator: "»", omittingEmptySubsequences: false)
    let text = before + inside.joined()
    let error = #expect(throws: PredicateSyntaxError.self) { try FormatPredicate(parsing: text) }
    guard let error else { return }
    #expect(error.kind == kind)
    let start = before.utf8.count
    #expect(error.range.range == start..<(start + inside[0].utf8.count))
  }

  @Test func explains() {
    let mistakes = [
      "", "age", "age ==", "name LIK 'x'", "name IS NULL", "name = 'a' ADN age = 1", "a === 1",
      "x NOT IN {1, 2}", "id IN (1, 2)", "0 < a < 5", "name ==[z] 'a'", "like == 1", "name == 'a",
      "größe == “x”", "a ≠ 1", "a % 2 == 1", "lenght(name) == 1", "modulus(a) == 1", "a.@sun.b > 1",
      "CAST(a, 'NSDat') == b", "CAST('x', 'NSUUID') == b", "name == %@", "ANYKEY == 1", "(a == 1",
      "a == 1 ) OR b", "a == 99999999999999999999", "sum((a == 1)) == 1",
      "SUBQUERY(a, b, c == 1) == 1",
      "a == 'line\nbreak' AND b ==", "名前 == 'x' 検索",
      String(repeating: "(", count: 200) + "a == 1" + String(repeating: ")", count: 200),
    ]
    let renderer = DiagnosticRenderer()
    let texts = mistakes.compactMap { text -> String? in
      do throws(PredicateSyntaxError) {
        _ = try FormatPredicate(parsing: text)
        Issue.record("\(text) is not a mistake")
        return nil
      } catch {
        return renderer.render(error.diagnostic(in: PredicateText(text)))
      }
    }
    Golden.expect(texts.joined(separator: "\n"), matches: "errors.txt")
  }

  @Test func explainsArguments() {
    let mistakes: [(String, [FormatArgument])] = [
      ("a == %@ AND b == %d", [1]), ("a == %@", [1, 2]), ("a == %d", ["x"]), ("%K == 1", [2]),
      ("%K == 1", ["a..b"]), ("a LIKE %@*", ["x"]),
    ]
    let renderer = DiagnosticRenderer()
    let texts = mistakes.compactMap { text, arguments -> String? in
      do throws(PredicateSyntaxError) {
        _ = try FormatPredicate(parsing: text, arguments: arguments)
        Issue.record("\(text) is not a mistake")
        return nil
      } catch {
        return renderer.render(error.diagnostic(in: PredicateText(text)))
      }
    }
    Golden.expect(texts.joined(separator: "\n"), matches: "argument-errors.txt")
  }

  @Test func pointsIntoTheFileOfATemplate() throws {
    let origin = SourceOrigin(
      file: "People/contents",
      runs: [.init(offset: 0, line: 4, column: 30), .init(offset: 6, line: 4, column: 41)])
    let text = PredicateText("a > 1 &&", origin: origin, context: "in fetch request 'young'")
    let error = try #require(throws: PredicateSyntaxError.self) {
      try FormatPredicate(parsing: text.text)
    }
    #expect(
      DiagnosticRenderer().render(error.diagnostic(in: text)) == """
        People/contents:4:43: error: expected a value, key path or function, found the end of the \
        text [predicate.unexpected]
          a > 1 &&
                  ^ in fetch request 'young'

        """)
  }
}
