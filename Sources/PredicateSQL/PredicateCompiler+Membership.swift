import SQLiteAccess
import StoreModel
import StorePredicate

extension PredicateCompiler {
  /// `x IN {…}`, `x IN tags.name`, `'a' IN name`
  mutating func membership(
    of member: Operand, in collection: TypedExpression, _ options: Comparison.Options
  ) throws(CheckError) -> SQL {
    switch collection.kind {
    case .list(let values): return try membership(of: member, among: values, options)
    case .constant(.null): return "0"
    case .variable(let name) where variables[name] == nil:
      throw CheckError(.unboundVariable(name), at: collection.range)
    default:
      guard collection.type.isCollection else {
        return try text(try operand(collection), .contains, member, options)
      }
      // No member is found by its having no value.
      guard !member.isNull else { return "0" }
      // What is missing equals nothing.
      let found = try open(collection, hasMissing: true)
      context.add(equality(found, member, options, negated: false))
      return closeTest()
    }
  }

  private mutating func membership(
    of member: Operand, among values: [TypedExpression], _ options: Comparison.Options
  ) throws(CheckError) -> SQL {
    // `x IN ()` is false in SQLite for every x, NULL included.
    guard !values.isEmpty else { return "0" }
    var operands: [Operand] = []
    for value in values { operands.append(try operand(value)) }
    operands = matched([member] + operands)
    let member = operands.removeFirst()
    if member.isText, options.folding != nil {
      // Beside a written nil the answer is unknown, not IS NULL.
      let tests = operands.map { operand -> SQL in
        if operand.isNull || member.isNull { return "NULL" }
        return equality(member, operand, options, negated: false)
      }
      return "(\(tests.joinedFlat(" OR ")))"
    }
    if case .object = member.type, let row = member.row {
      return objects(member, row, among: operands)
    }
    return Self.isAmong(member.sql, operands)
  }

  /// Objects are told apart by key, and by entity where the key alone does not tell.
  private func objects(
    _ member: Operand, _ row: RowReference, among operands: [Operand]
  ) -> SQL {
    var groups: [(check: SQL?, operands: [Operand])] = []
    for operand in operands {
      let check =
        if case .objectID(let id)? = operand.constant { entityCheck(of: row, for: id) } else {
          SQL?.none
        }
      if let index = groups.firstIndex(where: { $0.check == check }) {
        groups[index].operands.append(operand)
      } else {
        groups.append((check, [operand]))
      }
    }
    let tests = groups.map { group -> SQL in
      let test = Self.isAmong(member.sql, group.operands)
      return group.check.map { "\(test) AND \($0)" } ?? test
    }
    return tests.count == 1 ? tests[0] : "(\(tests.joined(" OR ")))"
  }

  /// `x IN (?, ?)`. A long list of constants is bound as one value, see `ValueList`.
  private static func isAmong(_ member: SQL, _ operands: [Operand]) -> SQL {
    let constants = operands.compactMap { operand -> SQLiteValue? in
      guard operand.constant != nil, case .value(let value)? = operand.sql.segments.first else {
        return nil
      }
      return value
    }
    guard constants.count == operands.count, constants.count > ValueList.inlineLimit else {
      return "\(member) IN (\(operands.map(\.sql).joined(", ")))"
    }
    return "\(member) IN (\(ValueList(constants).rows))"
  }
}
