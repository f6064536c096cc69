package import SQLiteAccess
package import StoreModel
import StorePredicate

extension PredicateCompiler {
  /// An expression as one SQL value.
  package mutating func value(_ expression: TypedExpression) throws(CheckError) -> SQL {
    switch expression.kind {
    case .constant, .selfObject, .variable, .untypedKeyPath: return try operand(expression).sql
    case .keyPath(let base, _, let path): return try keyPath(path, from: base, expression)
    case .arithmetic(let operation, let left, let right):
      return try arithmetic(operation, left, right)
    case .negated(let operand): return "-\(try term(operand))"
    case .function(let function, let arguments):
      return try call(function, arguments, at: expression.range)
    case .cast(let operand, let type): return try cast(operand, to: type, at: expression.range)
    case .ternary(let condition, let first, let second):
      return
        "CASE WHEN \(try self.condition(condition)) THEN \(try value(first)) ELSE \(try value(second)) END"
    case .element(let collection, let index):
      return try element(index, of: collection, at: expression.range)
    case .method(let method, let receiver, let arguments):
      var values: [SQL] = [.value(.text(method.rawValue)), try value(receiver)]
      for argument in arguments { values.append(try value(argument)) }
      return "TEXT_METHOD(\(values.joined(", ")))"
    case .list, .subquery, .set: throw unsupported("a collection as a value", expression)
    }
  }

  private func unsupported(_ construct: String, _ expression: TypedExpression) -> CheckError {
    CheckError(.unsupportedInStore(construct), at: expression.range)
  }

  /// The value in parentheses where it is more than a name, a constant or a call.
  mutating func term(_ expression: TypedExpression) throws(CheckError) -> SQL {
    let sql = try value(expression)
    switch expression.kind {
    case .arithmetic, .negated, .ternary: return "(\(sql))"
    default: return sql
    }
  }

  private mutating func keyPath(
    _ path: ResolvedKeyPath, from base: TypedExpression, _ expression: TypedExpression
  ) throws(CheckError) -> SQL {
    if case .aggregate = path.ending { return try aggregate(path, of: base, expression) }
    if path.isOverCollection { throw unsupported("a collection as a value", expression) }
    if let step = path.steps.first(where: \.isToMany) {
      throw CheckError(
        .toManyAsValue(relationship: step.relationship), at: expression.range)
    }
    return try operand(expression).unmarked.sql
  }

  private mutating func arithmetic(
    _ operation: ArithmeticOperator, _ left: TypedExpression, _ right: TypedExpression
  ) throws(CheckError) -> SQL {
    let isInteger = left.type.isInteger && right.type.isInteger
    let (left, right) = (try term(left), try term(right))
    switch operation {
    case .add: return "\(left) + \(right)"
    case .subtract: return "\(left) - \(right)"
    case .multiply: return "\(left) * \(right)"
    // Whole Decimals and dates are stored as integers, which SQLite would divide as integers.
    case .divide: return isInteger ? "\(left) / \(right)" : "CAST(\(left) AS REAL) / \(right)"
    case .power: return "NUMBER_POWER(\(left), \(right))"
    case .bitwiseAnd: return "\(left) & \(right)"
    case .bitwiseOr: return "\(left) | \(right)"
    case .bitwiseXor: return "(\(left) | \(right)) - (\(left) & \(right))"
    case .shiftLeft: return "\(left) << \(right)"
    case .shiftRight: return "\(left) >> \(right)"
    }
  }

  private mutating func call(
    _ function: Function, _ arguments: [TypedExpression], at range: TextRange
  ) throws(CheckError) -> SQL {
    switch function {
    case .sum, .count, .min, .max, .average: return try fold(function, arguments, at: range)
    case .median, .standardDeviation: return try statistic(function, arguments, at: range)
    case .mode: throw CheckError(.unsupportedInStore("a collection as a value"), at: range)
    case .distance: return try distance(arguments)
    // Day 2451910.5 is 2001-01-01; 'now' stands still while a statement runs.
    case .now: return "(julianday('now') - 2451910.5) * 86400.0"
    default: break
    }
    var values: [SQL] = []
    for argument in arguments { values.append(try value(argument)) }
    guard let name = function.sqlName else {
      throw CheckError(.unsupportedInStore("'\(function.rawValue)'"), at: range)
    }
    return name.isEmpty ? values.joined(", ") : "\(name)(\(values.joined(", ")))"
  }

  private mutating func cast(
    _ operand: TypedExpression, to type: CastType, at range: TextRange
  ) throws(CheckError) -> SQL {
    let value = try value(operand)
    switch (type, operand.type) {
    case (.number, .attribute(let source)) where source.isTime || source.isText,
      (.decimal, .attribute(let source)) where source.isTime || source.isText:
      return "CAST(\(value) AS NUMERIC)"
    case (.string, .attribute(let source))
    where source.isText || source.isInteger && operand.isPlain:
      return "CAST(\(value) AS TEXT)"
    // A number cast to a date is its seconds since 2001: what the column holds.
    case (.date, .attribute(let source)) where source.isTime,
      (.url, .attribute(let source)) where source.isText:
      return value
    case (.uuid, .attribute(.uuid)), (.data, .attribute(.binary)): return value
    default:
      return ValueCastCall.sql(value, of: operand.type, to: type)
    }
  }
}

extension TypedExpression {
  /// A column or a constant: what is computed of integers may have grown too large for one.
  fileprivate var isPlain: Bool {
    switch kind {
    case .constant, .keyPath: true
    default: false
    }
  }
}

extension ValueType {
  fileprivate var isInteger: Bool {
    if case .attribute(let type) = self { type.isInteger } else { false }
  }
}

extension AttributeType {
  /// Its columns hold numbers, which can be the seconds of a date.
  fileprivate var isTime: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date: true
    case .string, .uri, .uuid, .binary, .transformable, .undefined, .objectID, .composite:
      false
    }
  }

  fileprivate var isText: Bool { self == .string || self == .uri }
}

extension Function {
  /// The SQL function of one row's values; empty for one that does nothing, nil where there is none.
  fileprivate var sqlName: SQL? {
    switch self {
    case .modulus: "NUMBER_MODULUS"
    case .squareRoot: "NUMBER_SQRT"
    case .log: "NUMBER_LOG10"
    case .naturalLog: "NUMBER_LN"
    case .exponential: "NUMBER_EXP"
    case .ceiling: "NUMBER_CEILING"
    case .floor: "NUMBER_FLOOR"
    case .truncate: "NUMBER_TRUNCATE"
    case .absolute: "NUMBER_ABS"
    case .random: "NUMBER_RANDOM"
    case .randomBelow: "NUMBER_RANDOM_BELOW"
    case .onesComplement: "~"
    case .uppercase: "TEXT_UPPER"
    case .lowercase: "TEXT_LOWER"
    case .canonical: "TEXT_CANONICAL"
    case .length: "LENGTH"
    case .noIndex: "+"
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation, .now, .distance:
      nil
    }
  }
}
