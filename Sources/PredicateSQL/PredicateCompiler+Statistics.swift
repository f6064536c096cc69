import SQLiteAccess
import StoreModel
import StorePredicate

extension PredicateCompiler {
  /// `median(items.price)`, `stddev({a, b})`, `median(a, b)`; `median(price)` over the rows.
  mutating func statistic(
    _ function: Function, _ arguments: [TypedExpression], at range: TextRange
  ) throws(CheckError) -> SQL {
    let isOfDecimals = arguments.allSatisfy { $0.type.element == .attribute(.decimal) }
    let median: SQL = isOfDecimals ? "DECIMAL_MEDIAN" : "NUMBER_MEDIAN"
    let name = function == .median ? median : "NUMBER_DEVIATION"
    guard let only = arguments.first, arguments.count == 1 else {
      return "(SELECT \(name)(value) FROM (\(try rows(of: arguments))))"
    }
    if only.type.isCollection {
      let member = try open(only)
      return "(\(context.close(selecting: "\(name)(\(member.sql))")))"
    }
    guard allowsAggregates else {
      throw CheckError(.aggregateOfRows(function.rawValue, extreme: nil), at: range)
    }
    try refuseAggregates(in: [only], inside: function)
    return "\(name)(\(try value(only)))"
  }

  /// The values that are there most often: all those whose group is as large as the largest.
  mutating func modes(of arguments: [TypedExpression]) throws(CheckError) -> SQL {
    let rows: SQL
    switch arguments.first {
    case let only? where arguments.count == 1 && only.type.isCollection: rows = try self.rows(only)
    case let only? where arguments.count == 1:
      throw CheckError(
        .unsupportedInStore("'\(Function.mode.rawValue)' of the fetched rows"), at: only.range)
    default: rows = try self.rows(of: arguments)
    }
    return """
      SELECT value FROM (SELECT value, RANK() OVER (ORDER BY COUNT(*) DESC) AS rank \
      FROM (\(rows)) WHERE value IS NOT NULL GROUP BY value) WHERE rank = 1
      """
  }

  /// Metres between two rows that have a latitude and a longitude.
  mutating func distance(_ arguments: [TypedExpression]) throws(CheckError) -> SQL {
    var degrees: [SQL] = []
    for argument in arguments {
      guard let row = try operand(argument).row else {
        throw CheckError(.unsupportedInStore("the place of this value"), at: argument.range)
      }
      degrees.append(try context.column("latitude", of: row))
      degrees.append(try context.column("longitude", of: row))
    }
    return "NUMBER_DISTANCE(\(degrees.joined(", ")))"
  }
}
