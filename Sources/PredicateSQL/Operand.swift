import StoreLayout
package import SQLiteAccess
package import StoreModel
package import StorePredicate

/// A compiled side of a comparison, or another compiled expression.
package struct Operand {
  package var sql: SQL
  package var type: ValueType
  /// The value, if the expression is a constant.
  package var constant: DataValue?
  /// The row, if the expression is an object or its entity. The SQL of an object is its key.
  package var row: RowReference?
  /// Whether the SQL is a column, for which an index can be used.
  var isColumn = false
  /// Whether the column's bytes begin with a marker for the location of the value (`ExternalValue`).
  var isExternal = false

  package var isNull: Bool { constant == .null }

  /// The operand without the marker before the value's bytes. A value in a file is read from the file.
  var unmarked: Operand {
    guard isExternal else { return self }
    return Operand(sql: StoredBytes.sql(sql), type: type)
  }

  /// The text, if the expression is a text constant.
  package var text: String? {
    if case .string(let text)? = constant { text } else { nil }
  }

  /// Whether the operand can be text, so that case and diacritics can be folded.
  var isText: Bool {
    switch type {
    case .attribute(.string), .attribute(.uri): true
    case .any: constant == nil
    default: false
    }
  }
}

extension PredicateCompiler {
  package mutating func operand(_ expression: TypedExpression) throws(CheckError) -> Operand {
    switch expression.kind {
    case .constant(let value): return constant(value)
    case .selfObject: return try operand(.object, of: root)
    case .variable(let name):
      guard let member = variables[name] else {
        throw CheckError(.unboundVariable(name), at: expression.range)
      }
      return member
    case .untypedKeyPath(let base, _): throw untyped(base)
    case .keyPath(let base, _, let path):
      if case .aggregate = path.ending { break }
      guard !path.isToMany else { break }
      var row = try row(of: base)
      for step in path.steps {
        row = try context.follow(
          step.relationship, from: try context.narrow(row, to: step.entity))
      }
      return try operand(path.ending, of: try context.narrow(row, to: path.owner))
    default: break
    }
    guard case .object(let entity) = expression.type else {
      return Operand(sql: try value(expression), type: expression.type)
    }
    let row = context.row(of: try context.entity(named: entity), key: try term(expression))
    return Operand(sql: row.key, type: expression.type, row: row)
  }

  /// Returns the value at the end of a key path.
  ///
  /// - Parameter row: the row to which the path leads.
  package mutating func operand(
    _ ending: ResolvedKeyPath.Ending, of row: RowReference
  ) throws(CheckError) -> Operand {
    switch ending {
    case .object:
      return Operand(
        sql: row.key, type: .object(row.entity.name), row: row)
    case .attribute(let attribute, let path):
      let isExternal = row.entity.attributes[path]?.allowsExternalStorage == true
      return Operand(
        sql: try context.column(path, of: row), type: .attribute(attribute.type), isColumn: true,
        isExternal: isExternal)
    case .entity: return Operand(sql: context.number(of: row), type: .entity, row: row)
    case .aggregate(let function, _):
      throw CheckError(.unsupportedInStore("'\(function.rawValue)' here"))
    }
  }

  /// Returns the row at which a key path begins.
  mutating func row(of base: TypedExpression) throws(CheckError) -> RowReference {
    switch base.kind {
    case .selfObject: return root
    case .variable(let name):
      guard let member = variables[name] else {
        throw CheckError(.unboundVariable(name), at: base.range)
      }
      guard let row = member.row else {
        throw CheckError(.unsupportedInStore("a key path after a value"), at: base.range)
      }
      return row
    case .constant(.objectID(let id)):
      let entity = try context.entity(named: id.entity)
      return RowReference(
        entity: entity, key: .number(key(of: id)), number: nil, alias: nil, scope: 0)
    default:
      guard let row = try operand(base).row else {
        throw CheckError(.unsupportedInStore("a key path after this expression"), at: base.range)
      }
      return row
    }
  }

  /// Returns the error for a key path that begins at a value without a type.
  func untyped(_ base: TypedExpression) -> CheckError {
    if case .variable(let name) = base.kind, variables[name] == nil {
      return CheckError(.unboundVariable(name), at: base.range)
    }
    return CheckError(.unsupportedInStore("a key path after this expression"), at: base.range)
  }

  private func constant(_ value: DataValue) -> Operand {
    let type: ValueType =
      switch value {
      case .string: .attribute(.string)
      case .binary: .attribute(.binary)
      case .objectID(let id): .object(id.entity)
      case .null, .boolean, .integer, .double, .date, .uuid: .any
      }
    return Operand(sql: .value(bound(value)), type: type, constant: value)
  }

  /// Returns operands in a form in which they can be compared with each other. Names of entities become numbers, and
  /// markers before bytes are removed from columns or added to constants.
  package func matched(_ operands: [Operand]) -> [Operand] {
    let areEntities = operands.contains { $0.type == .entity }
    let areMarked =
      operands.contains(where: \.isExternal)
      && operands.allSatisfy { $0.isExternal || $0.constant != nil }
    return operands.map { operand in
      var matched = areMarked ? operand : operand.unmarked
      switch operand.constant {
      case .string(let name)? where areEntities:
        matched.sql = .number(layout.entity(named: name)?.number ?? 0)
      case .binary(let bytes)? where areMarked:
        // Core Data marks bytes in the row with a leading 1.
        matched.sql = .value(.blob([1] + bytes))
      default: break
      }
      return matched
    }
  }

  /// Returns the value as Core Data's columns contain it.
  package func bound(_ value: DataValue) -> SQLiteValue {
    if case .objectID(let id) = value { .integer(key(of: id)) } else { SQLiteValue(value) }
  }

  /// Returns the primary key in an object ID, or 0 for an object of another store, because no row has the key 0.
  package func key(of id: ObjectID) -> Int64 {
    guard let store = id.store, let storeUUID, store.uppercased() != storeUUID.uppercased() else {
      return id.primaryKey
    }
    return 0
  }
}
