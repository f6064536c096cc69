import StoreModel
import StorePredicate

extension PredicateCompiler {
  /// A member of a collection whose sub-select is open, and what is asked of it.
  struct Member {
    var row: RowReference
    var ending: ResolvedKeyPath.Ending
  }

  mutating func operand(_ member: Member) throws(CheckError) -> Operand {
    try operand(member.ending, of: member.row)
  }

  /// Opens a sub-select over a collection: `list.items`, `items.tags.name`, `SUBQUERY(…)`. The caller closes it.
  mutating func open(_ collection: Expression) throws(CheckError) -> Member {
    switch collection.kind {
    case .subquery(let members, let variable, let predicate):
      let member = try open(members)
      let outer = variables.updateValue(member.row, forKey: variable)
      let condition = try condition(predicate)
      variables[variable] = outer
      if case .or = predicate { context.add("(\(condition))") } else { context.add(condition) }
      return member
    case .keyPath(let base, let keys):
      if case .subquery = base.kind {
        let row = try open(base).row
        let path = try KeyPathResolver(model: layout.model).resolve(keys, from: row.entity.name)
        return try walk(path, from: row, isOpen: true)
      }
      let (path, start) = try resolve(keys, from: base)
      return try walk(path, from: start, isOpen: false)
    default:
      throw CheckError(.unsupportedInStore("this collection"), at: collection.range)
    }
  }

  /// Follows a path; the first to-many step opens the sub-select, the next ones join into it, so
  /// that the members of all members are seen.
  mutating func walk(
    _ path: ResolvedKeyPath, from start: RowReference, isOpen: Bool
  ) throws(CheckError) -> Member {
    var row = start
    var isOpen = isOpen
    for step in path.steps {
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
    return Member(row: row, ending: path.ending)
  }
}
