import SQLiteAccess
package import StoreModel
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

extension PredicateCompiler {
  /// A member of a collection whose sub-select is open, and what is asked of it.
  package struct Member {
    package var row: RowReference
    package var ending: ResolvedKeyPath.Ending
  }

  package mutating func operand(_ member: Member) throws(CheckError) -> Operand {
    try operand(member.ending, of: member.row)
  }

  /// Opens a sub-select over a collection: `list.items`, `items.tags.name`, `SUBQUERY(…)`, and gives
  /// a member of it. The caller closes it.
  ///
  /// - Parameter hasMissing: `items.owner` has a NULL for an item without owner, as ANY and ALL look at it.
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

  /// Follows a key path from the row that its base is, or from the members of the collection.
  mutating func walk(
    _ path: ResolvedKeyPath, from base: TypedExpression, hasMissing: Bool = true
  ) throws(CheckError) -> Member {
    let start = path.isOverCollection ? try openRows(base) : try row(of: base)
    return try walk(path, from: start, isOpen: path.isOverCollection, hasMissing: hasMissing)
  }

  /// Follows a path; the first to-many step opens the sub-select, the next ones join into it, so
  /// that the members of all members are seen.
  mutating func walk(
    _ path: ResolvedKeyPath, from start: RowReference, isOpen: Bool, hasMissing: Bool = true
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
      throw CheckError(.needsCollection(path.type, operator: "this"))
    }
    // An object that is not there is no member.
    if !hasMissing, path.ending == .object, let last = path.steps.last, !last.isToMany {
      context.add("\(row.key) IS NOT NULL")
    }
    return Member(row: try context.narrow(row, to: path.owner), ending: path.ending)
  }
}
