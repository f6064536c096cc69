import SQLiteAccess
package import StoreModel
import StorePredicate

extension PredicateCompiler {
  /// Returns the condition of `x IN {…}`, `x IN tags.name` or `'a' IN name`.
  mutating func membership(
    of member: Operand, in collection: TypedExpression, _ options: FormatComparison.Options
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
      // nil isn't a member of any collection.
      guard !member.isNull else { return "0" }
      // Missing objects needn't be excluded, because their NULL isn't equal to any value.
      let found = try open(collection, hasMissing: true)
      context.add(equality(found, member, options, negated: false))
      return closeTest()
    }
  }

  private mutating func membership(
    of member: Operand, among values: [TypedExpression], _ options: FormatComparison.Options
  ) throws(CheckError) -> SQL {
    // In SQLite, `x IN ()` is false for every x, including NULL.
    guard !values.isEmpty else { return "0" }
    let members = try values.map { value throws(CheckError) in try operand(value) }
    var operands = matched([member] + members)
    let member = operands.removeFirst()
    if member.isText, options.folding != nil {
      // As in SQL's IN, a comparison with a literal nil is NULL, not a test with IS NULL.
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

  /// Returns the condition that an object is in a list. Objects are compared by key, and also by entity if the key
  /// isn't sufficient.
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

  /// Returns `x IN (?, ?)`. A long list of constants is bound as one value, as described in `ValueList`.
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
    return "\(member) IN (\(ValueList(values: constants).rows))"
  }
}

extension PredicateCompiler {
  /// A member of a collection whose sub-select is open, and the rest of the key path to its value.
  package struct Member {
    package var row: RowReference
    package var ending: ResolvedKeyPath.Ending
  }

  package mutating func operand(_ member: Member) throws(CheckError) -> Operand {
    try operand(member.ending, of: member.row)
  }

  /// Opens a sub-select over a collection such as `list.items`, `items.tags.name` or `SUBQUERY(…)`, and returns the SQL
  /// of a member. The caller must close the sub-select.
  ///
  /// - Parameter hasMissing: whether `items.owner` includes NULL for an item without an owner, as ANY and ALL require.
  mutating func open(
    _ collection: TypedExpression, hasMissing: Bool = false
  ) throws(CheckError) -> Operand {
    if let member = try openComposite(collection) { return member }
    switch collection.kind {
    case .subquery(let members, let variable, let predicate):
      try refuseAggregates(in: predicate.expressions)
      let member = try open(members)
      let outer = variables.updateValue(member, forKey: variable)
      let condition = try condition(predicate)
      variables[variable] = outer
      if case .or = predicate { context.add("(\(condition))") } else { context.add(condition) }
      return member
    case .keyPath(let base, _, let path):
      return try operand(try walk(path, from: base, hasMissing: hasMissing))
    case .variable(let name) where variables[name] == nil:
      throw CheckError(.unboundVariable(name), at: collection.range)
    case .untypedKeyPath(let base, _): throw untyped(base)
    case .ternary: throw CheckError(.choiceOfCollections, at: collection.range)
    default:
      throw CheckError(.unsupportedInStore("this collection"), at: collection.range)
    }
  }

  /// Follows a key path from the row at its base, or from the members of a collection.
  mutating func walk(
    _ path: ResolvedKeyPath, from base: TypedExpression, hasMissing: Bool = true,
    by operation: String = "this operation"
  ) throws(CheckError) -> Member {
    let start = path.isOverCollection ? try openRows(base) : try row(of: base)
    return try walk(
      path, from: start, isOpen: path.isOverCollection, hasMissing: hasMissing, by: operation)
  }

  /// Follows a key path. The first to-many step opens a sub-select. Each later to-many step joins its table to that
  /// sub-select, which then returns, for example, the tags of all items.
  ///
  /// - Parameter isOpen: whether a sub-select is already open, so that the first to-many step also joins its table.
  mutating func walk(
    _ path: ResolvedKeyPath, from start: RowReference, isOpen: Bool, hasMissing: Bool = true,
    by operation: String = "this operation"
  ) throws(CheckError) -> Member {
    var row = start
    var isOpen = isOpen
    for step in path.steps {
      row = try context.narrow(row, to: step.entity)
      if !step.isToMany {
        row = try context.follow(step.relationship, from: row)
      } else if isOpen {
        row = try context.extend(step.relationship, of: row)
      } else {
        row = try context.open(step.relationship, of: row)
        isOpen = true
      }
    }
    guard isOpen else {
      throw CheckError(.needsCollection(path.type, operator: operation))
    }
    // A missing object isn't a member.
    if !hasMissing, path.ending == .object, let last = path.steps.last, !last.isToMany {
      context.add("\(row.key) IS NOT NULL")
    }
    return Member(row: try context.narrow(row, to: path.owner), ending: path.ending)
  }
}
