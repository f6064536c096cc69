import SQLiteAccess
package import StoreModel
import StorePredicate

extension PredicateCompiler {
  /// A member of a collection whose sub-select is open, and what is asked of it.
  package struct Member {
    package var row: RowReference
    package var ending: ResolvedKeyPath.Ending

    package init(row: RowReference, ending: ResolvedKeyPath.Ending) {
      self.row = row
      self.ending = ending
    }
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
