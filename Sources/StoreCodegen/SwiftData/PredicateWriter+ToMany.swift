import StoreModel
import StorePredicate

extension PredicateWriter {
  /// ANY and ALL: a condition for the members of one to-many relationship.
  mutating func quantified(_ comparison: TypedComparison, isNegated: Bool) throws -> String {
    guard case .keyPath(let base, _, let path) = comparison.left.kind,
      path.steps.filter(\.isToMany).count == 1, path.owner == nil,
      let index = path.steps.firstIndex(where: \.isToMany)
    else { throw Unsayable("a #Predicate has no \(comparison.modifier.rawValue) of such values") }
    let members = try collection(path.steps[...index], from: start(of: base))
    let member = pool.takeNumbered("member")
    let walk = try walk(along: path.steps[(index + 1)...], from: PredicatePath(member))
    let left = try ending(of: path, behind: walk)
    let condition = try self.comparison(comparison, of: left, isNegated: false)
    size += members.isOptional ? 2 : 1
    let all = comparison.modifier == .all
    let method = all ? "allSatisfy" : "contains"
    return folded(members, "\(method) { \(member) in \(condition) }", empty: "\(all)", isNegated)
  }

  /// `SUBQUERY(…).@count`
  mutating func count(of subquery: TypedExpression, _ path: ResolvedKeyPath) throws -> PredicateTerm
  {
    guard case .aggregate(.count, nil) = path.ending, path.steps.isEmpty,
      case .subquery(let collection, let variable, let predicate) = subquery.kind,
      case .keyPath(let base, _, let keys) = collection.kind,
      case .object = keys.ending, keys.steps.last?.isToMany == true
    else { throw Unsayable("a #Predicate has no such SUBQUERY") }
    let members = try self.collection(keys.steps[...], from: start(of: base))
    let member = pool.takeNumbered("member")
    self.members[variable] = member
    let condition = try condition(predicate, isNegated: false).flat
    self.members[variable] = nil
    return counted(members, ".filter { \(member) in \(condition) }")
  }

  /// `items.@count`
  mutating func count(of path: ResolvedKeyPath, from start: PredicatePath) throws -> PredicateTerm {
    guard path.steps.last?.isToMany == true else {
      throw Unsayable("a #Predicate has no such @count")
    }
    return counted(try collection(path.steps[...], from: start), "")
  }

  private mutating func counted(_ members: PredicatePath, _ filter: String) -> PredicateTerm {
    if members.isOptional { size += 1 }
    let code = "\(members.code)\(members.isOptional ? "?" : "")\(filter).count"
    // Integers of any width are compared with it as literals alone.
    return PredicateTerm(code: members.isOptional ? "(\(code) ?? 0)" : code, type: Self.count)
  }

  /// Where the last step is the only to-many one.
  private func collection(
    _ steps: ArraySlice<ResolvedKeyPath.Step>, from start: PredicatePath
  ) throws -> PredicatePath {
    guard let last = steps.last else { throw Unsayable("it has no to-many relationship") }
    let walk = try walk(along: steps.dropLast(), from: start)
    guard !walk.isOptional else { throw Unsayable("it looks for members of what may be missing") }
    let (name, isOptional) = try member(last)
    return walk.appending(name, isOptional: isOptional)
  }

  private func folded(
    _ members: PredicatePath, _ call: String, empty: String, _ isNegated: Bool
  ) -> String {
    let code =
      members.isOptional
      ? "(\(members.code)?.\(call) ?? \(empty))" : "\(members.code).\(call)"
    return isNegated ? "!\(code)" : code
  }
}
