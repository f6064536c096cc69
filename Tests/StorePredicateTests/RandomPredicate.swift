import Foundation
import SeededRandom
import StorePredicate

/// Random trees with all kinds of nodes, in the form that the parser creates: compounds of at least two predicates, and
/// casts of values that can't be constants.
struct RandomPredicate {
  var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func predicate(depth: Int) -> FormatPredicate {
    guard depth > 0 else { return .constant(flip()) }
    switch below(8) {
    case 0: return .and(members(depth))
    case 1: return .or(members(depth))
    case 2: return .not(predicate(depth: depth - 1))
    default:
      return .comparison(
        FormatComparison(
          expression(depth: depth - 1), pick(FormatComparison.Operator.allCases),
          expression(depth: depth - 1),
          modifier: pick([.direct, .direct, .direct, .any, .all]),
          options: below(3) == 0 ? FormatComparison.Options(rawValue: UInt8(below(16))) : []))
    }
  }

  private mutating func members(_ depth: Int) -> [FormatPredicate] {
    (0..<(2 + below(2))).map { _ in predicate(depth: depth - 1) }
  }

  mutating func expression(depth: Int) -> FormatExpression {
    guard depth > 0 else { return leaf() }
    let inner = depth - 1
    switch below(20) {
    case 0: return FormatExpression(.list((0..<below(4)).map { _ in expression(depth: inner) }))
    case 1...3:
      return FormatExpression(
        .arithmetic(
          pick(ArithmeticOperator.allCases), expression(depth: inner), expression(depth: inner)))
    case 4: return FormatExpression(.negated(expression(depth: inner)))
    case 5:
      return FormatExpression(
        .set(pick(SetOperator.allCases), expression(depth: inner), expression(depth: inner)))
    case 6: return function(inner)
    case 7:
      return FormatExpression(
        .method(
          receiver: expression(depth: inner), selector: text(),
          arguments: (0..<below(3)).map { _ in expression(depth: inner) }))
    case 8: return FormatExpression(.cast(.keyPath(key()), to: pick(CastType.allCases)))
    case 9:
      return FormatExpression(
        .ternary(
          predicate(depth: inner), expression(depth: inner), expression(depth: inner)))
    case 10:
      return FormatExpression(
        .subquery(
          collection: expression(depth: inner), variable: key(), predicate(depth: inner)))
    case 11: return FormatExpression(.element(expression(depth: inner), index(inner)))
    case 12: return FormatExpression(.keyPath(base: expression(depth: inner), steps()))
    default: return leaf()
    }
  }

  private mutating func function(_ depth: Int) -> FormatExpression {
    let function = pick(FormatFunction.allCases)
    let count = function.arity.lowerBound + (function.isAggregate ? below(3) : 0)
    return FormatExpression(.function(function, (0..<count).map { _ in expression(depth: depth) }))
  }

  private mutating func index(_ depth: Int) -> FormatIndex {
    switch below(4) {
    case 0: .first
    case 1: .last
    case 2: .size
    default: .at(expression(depth: depth))
    }
  }

  private mutating func leaf() -> FormatExpression {
    switch below(8) {
    case 0: FormatExpression(.selfObject)
    case 1: FormatExpression(.variable(key()))
    case 2...4: FormatExpression(.keyPath(base: FormatExpression(.selfObject), steps()))
    default: .value(value())
    }
  }

  private mutating func steps() -> [KeyPathStep] {
    (0...below(3)).map { _ in
      below(5) == 0
        ? KeyPathStep(.collection(pick(CollectionOperator.allCases))) : KeyPathStep(.key(key()))
    }
  }

  private mutating func key() -> String {
    pick([
      "a", "name", "b2", "_x", "größe", "size", "first", "self", "ANY", "like", "minus", "as",
      "Cast", "$odd", "a b", "7up", "😀", "名前", "UTI", "EQUALS", "sum", "true",
    ])
  }

  private mutating func text() -> String {
    pick([
      "", "a", "it's", "say \"hi\"", "back\\slash", "line\nbreak\t", "é", "e\u{301}", "😀", "%@",
      "$x", "\u{0}\u{1}", "uppercase:", "add:to:",
    ])
  }

  private mutating func value() -> DataValue {
    switch below(9) {
    case 0: .null
    case 1: .boolean(flip())
    case 2: .integer(pick([0, 1, -1, 42, .max, .min]))
    case 3: .integer(Int64(truncatingIfNeeded: random.next()))
    case 4: .double(pick([0, 1, -1.5, 1e-5, 1e300, .leastNonzeroMagnitude, .infinity, -.infinity]))
    case 5: .string(text())
    case 6: .date(pick([0, -978_307_200, 1.5, 1e-7]))
    case 7:
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(below(256)))))
    default:
      flip()
        ? .binary((0..<below(5)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        : .objectID(ObjectID(store: nil, entity: "Item", primaryKey: Int64(1 + below(9))))
    }
  }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
  private mutating func flip() -> Bool { below(2) == 0 }
  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[below(choices.count)]
  }
}
