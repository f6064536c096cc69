package import SQLiteAccess
package import StoreLayout
package import StoreModel
package import StorePredicate

extension PredicateCompiler {
  /// Returns an expression as one SQL value.
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
      let values = try ([receiver] + arguments).map { part throws(CheckError) in try value(part) }
      return "TEXT_METHOD(\(value: .text(method.rawValue)), \(values.joined(", ")))"
    case .list, .subquery, .set: throw unsupported("a collection as a value", expression)
    }
  }

  private func unsupported(_ construct: String, _ expression: TypedExpression) -> CheckError {
    CheckError(.unsupportedInStore(construct), at: expression.range)
  }

  /// Returns an expression as one SQL value, in parentheses if it needs them inside a larger expression.
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
    // A Decimal or date without a fraction is stored as an integer, for which SQLite would use integer division.
    case .divide: return isInteger ? "\(left) / \(right)" : "CAST(\(left) AS REAL) / \(right)"
    case .power: return "NUMBER_POWER(\(left), \(right))"
    case .bitwiseAnd: return "\(left) & \(right)"
    case .bitwiseOr: return "\(left) | \(right)"
    case .bitwiseXor: return "(\(left) | \(right)) - (\(left) & \(right))"
    case .shiftLeft: return "\(left) << \(right)"
    case .shiftRight: return "\(left) >> \(right)"
    }
  }

  private mutating func cast(
    _ operand: TypedExpression, to type: CastType, at range: TextRange
  ) throws(CheckError) -> SQL {
    if operand.isUnchanged(by: type) { return try term(operand) }
    let value = try value(operand)
    switch (type, operand.type) {
    case (.number, .attribute(let source)) where source.isNumeric || source.family == .text,
      (.decimal, .attribute(let source)) where source.isNumeric || source.family == .text:
      return "CAST(\(value) AS NUMERIC)"
    case (.string, .attribute(let source))
    where source.family == .text || source.isInteger && operand.isPlain:
      return "CAST(\(value) AS TEXT)"
    default:
      return ValueCastCall.sql(value, of: operand.type, to: type)
    }
  }
}

extension TypedExpression {
  /// Returns whether a cast to this type leaves the stored value unchanged, so that it requires no SQL.
  fileprivate func isUnchanged(by type: CastType) -> Bool {
    switch (type, self.type) {
    // A number that is cast to a date is a number of seconds since 2001, as in a date column.
    case (.date, .attribute(let source)): source.isNumeric
    case (.url, .attribute(let source)): source.family == .text
    case (.uuid, .attribute(.uuid)), (.data, .attribute(.binary)): true
    default: false
    }
  }

  /// Whether the expression is a constant or a key path without an aggregate. An integer from such an expression fits
  /// in 64 bits. A computed integer may not fit.
  fileprivate var isPlain: Bool {
    switch kind {
    case .constant: true
    case .keyPath(base: _, _, let path): if case .aggregate = path.ending { false } else { true }
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
  /// Whether columns of this type contain numbers. Dates are stored as seconds since 2001.
  fileprivate var isNumeric: Bool { family == .number || family == .date }
}

extension CheckedExpression {
  /// Returns the SQL that computes a value for a row that doesn't exist yet.
  ///
  /// - Parameter text: the text of the expression, for the locations of errors.
  /// - Throws: `CheckErrors` if the store doesn't contain the entity, if the expression isn't supported in a store, or
  ///   if it uses the row or a key path from it, because the row doesn't have values yet.
  package func valueSQL(
    forNew entity: String, in layout: StoreLayout, text: PredicateText
  ) throws(CheckErrors) -> SQL {
    guard let place = layout.entity(named: entity) else {
      throw CheckErrors([CheckError(.unknownEntity(entity, known: layout.entities.map(\.name)))])
    }
    if let range = typed.rangeOfRow {
      throw CheckErrors([CheckError(.noRowYet, at: range)], in: text)
    }
    do throws(CheckError) {
      var compiler = PredicateCompiler(layout: layout, entity: place, storeUUID: nil)
      return try compiler.value(typed)
    } catch {
      throw CheckErrors([error], in: text)
    }
  }
}

extension TypedExpression {
  /// The location of the first use of the row; nil if the value doesn't depend on it.
  fileprivate var rangeOfRow: TextRange? {
    switch kind {
    case .selfObject: range
    case .keyPath(let base, _, _) where base.kind == .selfObject: range
    default: parts.lazy.compactMap(\.rangeOfRow).first
    }
  }
}
