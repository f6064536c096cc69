import SQLiteAccess
import StoreModel
import StorePredicate

/// The SQL of a predicate function.
enum FunctionSQL {
  /// An aggregate that also exists as a collection operator.
  case fold(CollectionOperator)
  /// The name of an `AggregateFunction`, and the name of its variant for Decimals.
  case statistic(SQL, ofDecimals: SQL)
  /// A function that returns several values, which can only be used as a collection.
  case values
  /// The distance between two locations, whose coordinates are read from rows.
  case distance
  /// An expression without arguments.
  case expression(SQL)
  /// A function of SQLite, or an operator before the argument.
  case native(SQL)
  /// A function that `SQLFunctions` registers under this name. Its result is the same as in a predicate in memory.
  case registered(StaticString, isDeterministic: Bool = true)

  init(of function: FormatFunction) {
    self =
      switch function {
      case .sum: .fold(.sum)
      case .count: .fold(.count)
      case .min: .fold(.min)
      case .max: .fold(.max)
      case .average: .fold(.average)
      case .median: .statistic("NUMBER_MEDIAN", ofDecimals: "DECIMAL_MEDIAN")
      case .mode: .values
      case .standardDeviation: .statistic("NUMBER_DEVIATION", ofDecimals: "NUMBER_DEVIATION")
      case .modulus: .registered("NUMBER_MODULUS")
      case .squareRoot: .registered("NUMBER_SQRT")
      case .log: .registered("NUMBER_LOG10")
      case .naturalLog: .registered("NUMBER_LN")
      case .exponential: .registered("NUMBER_EXP")
      case .ceiling: .registered("NUMBER_CEILING")
      case .floor: .registered("NUMBER_FLOOR")
      // SQLite's ABS fails for the least integer.
      case .absolute: .registered("NUMBER_ABS")
      case .truncate: .registered("NUMBER_TRUNCATE")
      case .random: .registered("NUMBER_RANDOM", isDeterministic: false)
      case .randomBelow: .registered("NUMBER_RANDOM_BELOW", isDeterministic: false)
      case .onesComplement: .native("~")
      // The Julian day 2451910.5 is 2001-01-01. 'now' doesn't change while a statement runs.
      case .now: .expression("(julianday('now') - 2451910.5) * 86400.0")
      case .uppercase: .registered("TEXT_UPPER")
      case .lowercase: .registered("TEXT_LOWER")
      case .canonical: .registered("TEXT_CANONICAL")
      case .length: .native("LENGTH")
      case .noIndex: .native("+")
      case .distance: .distance
      }
  }
}

extension PredicateCompiler {
  mutating func call(
    _ function: FormatFunction, _ arguments: [TypedExpression], at range: TextRange
  ) throws(CheckError) -> SQL {
    let name: SQL
    switch FunctionSQL(of: function) {
    case .fold(let operation): return try fold(function, operation, arguments, at: range)
    case .statistic(let numbers, let decimals):
      let isOfDecimals = arguments.allSatisfy { $0.type.element == .attribute(.decimal) }
      return try statistic(function, isOfDecimals ? decimals : numbers, arguments, at: range)
    case .values: throw CheckError(.unsupportedInStore("a collection as a value"), at: range)
    case .distance: return try distance(arguments)
    case .expression(let expression): return expression
    case .native(let native): name = native
    case .registered(let registered, _): name = SQL(stringLiteral: registered)
    }
    let values = try arguments.map { argument throws(CheckError) in try value(argument) }
    return "\(name)(\(values.joined(", ")))"
  }
}

extension FormatFunction {
  /// The name of the registered function that a statement calls; nil if it doesn't call one.
  var registeredName: String? {
    if case .registered(let name, _) = FunctionSQL(of: self) { name.description } else { nil }
  }

  /// The name of the function in messages: `sqrt()`, `modulus:by:`.
  var wording: String {
    let words = rawValue.split(separator: ":")
    return words.count == 1 ? "\(words[0])()" : rawValue
  }

  /// Registers the function on a connection if it has a `registeredName`.
  ///
  /// - Throws: `DatabaseError` if SQLite can't register the function.
  func register(on connection: Connection) throws(DatabaseError) {
    guard case .registered(let name, let isDeterministic) = FunctionSQL(of: self) else { return }
    try connection.define(
      name.description, isDeterministic: isDeterministic, definition.computation)
  }
}

extension Connection {
  /// Registers an SQL function with the computation that the evaluator of predicates in memory uses.
  ///
  /// - Throws: `DatabaseError` if SQLite can't register the function.
  func define(
    _ name: String, isDeterministic: Bool = true, _ computation: FunctionDefinition.Computation
  ) throws(DatabaseError) {
    let (count, answer): (Int32, (FunctionCall) -> Void) =
      switch computation {
      case .generated(let value): (0, { $0.answer(.real(value())) })
      case .real(let compute):
        (1, { call in call.answer(call.number(at: 0).map { .real(compute($0)) } ?? .null) })
      case .number(let compute):
        (1, { call in call.answer(call.exactNumber(at: 0).map { compute($0).stored } ?? .null) })
      case .numbers(let compute):
        (
          2,
          { call in
            guard let x = call.exactNumber(at: 0), let y = call.exactNumber(at: 1) else {
              return call.returnNull()
            }
            call.answer(compute(x, y)?.stored ?? .null)
          }
        )
      case .text(let change):
        (1, { call in call.answer(call.text(at: 0).map { .text(change($0)) } ?? .null) })
      case .argument, .length, .now, .distance, .fold:
        preconditionFailure("\(name) isn't computed from plain values")
      }
    try define(
      function: name, arguments: count, isDeterministic: isDeterministic, answer)
  }
}

extension FunctionCall {
  /// Returns the number of an argument, exact for integers, or nil for NULL.
  fileprivate func exactNumber(at index: Int) -> Number? {
    isInteger(at: index)
      ? integer(at: index).map(Number.integer) : number(at: index).map(Number.real)
  }
}

extension Number {
  fileprivate var stored: SQLiteValue {
    switch self {
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    }
  }
}
