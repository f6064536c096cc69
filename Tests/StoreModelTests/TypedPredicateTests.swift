import StorePredicate
import Testing

@testable import StoreModel

/// The checker's result for a predicate: a tree with the type of each expression and the steps of each
/// key path.
struct TypedPredicateTests {
  private let checker = PredicateChecker(model: TodoModel.model, entity: "Item")

  private func comparison(_ text: String) throws -> TypedComparison {
    guard case .comparison(let comparison) = try typed(text) else {
      throw PredicateTextMismatch(text: text)
    }
    return comparison
  }

  private func typed(_ text: String) throws -> TypedPredicate {
    try checker.check(FormatPredicate(parsing: text)).typed
  }

  private struct PredicateTextMismatch: Error { var text: String }

  /// Returns each expression of a tree with its type, followed by its parts.
  private func types(_ expression: TypedExpression) -> [String] {
    ["\(expression.expression): \(expression.type)"] + expression.parts.flatMap(types)
  }

  @Test func eachExpressionHasItsType() throws {
    let left = try comparison("TERNARY(done == YES, price, priority + 1) > 3").left
    #expect(
      types(left).joined(separator: "\n") == """
        TERNARY(done == YES, price, priority + 1): Decimal
        done: Boolean
        SELF: object of 'Item'
        YES: Boolean
        price: Decimal
        SELF: object of 'Item'
        priority + 1: Integer 64
        priority: Integer 16
        SELF: object of 'Item'
        1: Integer 64
        """)
    let list = try comparison("createdAt IN {'2001-01-01', nil}").right
    #expect(list.type == .collection(of: .attribute(.date)))
    // ANY applies to each member. The type of the expression is still a collection.
    let members = try comparison("ANY tags.name == 'a'").left
    #expect(members.type == .collection(of: .attribute(.string)))
  }

  @Test func theOppositeIsWhatTheCheckerWouldMakeOfIt() throws {
    let text = "list.title == 'a' OR price > 3"
    #expect(
      try typed(text).isNotTrue == typed("TERNARY(\(text), 1, 0) == 0"))
    let first = try typed("done == YES")
    #expect(
      try TypedPredicate.conjunction(first, typed(text)) == typed("done == YES AND (\(text))"))
    #expect(TypedPredicate.conjunction(nil, first) == first)
  }

  @Test func eachKeyPathIsResolved() throws {
    let path = try #require(try comparison("list.items.@max.priority < 5").left.path)
    #expect(
      path.steps == [
        .init(entity: "Item", relationship: "list", destination: "List", isToMany: false),
        .init(entity: "List", relationship: "items", destination: "Item", isToMany: true),
      ])
    guard case .aggregate(.max, let over?) = path.ending else {
      Issue.record("no maximum: \(path)")
      return
    }
    #expect(over.type == .attribute(.integer16))
    let members = try #require(
      try comparison("ANY SUBQUERY(tags, $t, $t.name == 'a').items.title == 'b'").left.path)
    #expect(members.isOverCollection && members.source == "Tag" && members.destination == "Item")
    // The other condition determines the entity of the attribute.
    guard case .and(let both) = try typed("entity == 'Task' AND effort > 3"),
      case .comparison(let second) = both[1]
    else {
      Issue.record("no conjunction")
      return
    }
    #expect(second.left.path?.owner == "Task")
  }

  @Test func treesOfTheSameMeaningAreEqual() throws {
    #expect(try typed("priority == '5'") == typed("priority   ==   5"))
    #expect(try typed("priority == 5") != typed("ratio == 5"))
    #expect(try typed("title + 'a' == 'ba'").predicate.format.contains("stringByAppendingString"))
  }

  @Test func whatHasNoTypeYetSaysSo() throws {
    let open = try checker.check(FormatPredicate(parsing: "$SOURCE.title == title"))
    guard case .comparison(let comparison) = open.typed,
      case .untypedKeyPath(let base, _) = comparison.left.kind
    else {
      Issue.record("typed: \(open.typed)")
      return
    }
    #expect(base.kind == .variable("SOURCE"))
    #expect(open.predicate == (try FormatPredicate(parsing: "$SOURCE.title == title")))
    // The SUBQUERY of such a variable is checked, too.
    let variables = try checker.check(
      FormatPredicate(
        parsing: "SUBQUERY($LIST, $x, $x.title == title AND title == $NAME).@count > 0")
    ).variables
    #expect(variables.map(\.name) == ["LIST", "NAME"])
  }

  @Test func anExpressionBecomesAValueOfAType() throws {
    let checked = try checker.check(FormatExpression(parsing: "'2001-01-01T00:01:00Z'"))
    #expect(checked.type == .attribute(.string))
    let date = try checker.convert(checked, to: .attribute(.date))
    #expect(date.typed.constant == .date(60))
    #expect(throws: CheckErrors.self) {
      try checker.convert(checked, to: .attribute(.uuid))
    }
  }

  /// Checking the members of each list twice would take hours.
  @Test(.timeLimit(.minutes(10)))
  func listsInListsAreLookedAtOnce() throws {
    var nested = FormatExpression.value(.integer(1))
    for _ in 0..<40 { nested = FormatExpression(.list([nested])) }
    let checked = try checker.check(.comparison(FormatComparison(nested, .equal, nested)))
    #expect(checked.predicate == .comparison(FormatComparison(nested, .equal, nested)))
  }
}
