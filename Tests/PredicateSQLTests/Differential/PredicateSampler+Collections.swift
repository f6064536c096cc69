import StoreModel
import StorePredicate

// Collections: values and objects in sets, lists and orders.

extension PredicateSampler {
  /// Returns a condition about many values, or about the position of one of them.
  mutating func gathered(_ depth: Int) -> String {
    let kind = gatheredKind()
    guard let values = values(kind, depth) else { return missing() }
    switch below(8) {
    case 0:
      return "\(pick(["ANY", "ALL", "NONE", "SOME"])) \(values) \(tail(kind, 0))"
    case 1: return "\(literal(kind, isTyped: false)) IN \(values)"
    case 2: return "\(value(kind, 0)) IN \(values)"
    case 3: return "\(values)[SIZE] \(relation()) \(below(4))"
    case 4:
      guard let others = self.values(kind, 0) else { return missing() }
      return "\(values) \(pick(["==", "!="])) \(others)"
    case 5:
      guard let (first, destination) = collection(0),
        let second = related(to: destination)
      else { return missing() }
      return "\(first) \(pick(["==", "!="])) \(second)"
    case 6: return placed(kind, depth)
    default: return "count(\(values)) \(relation()) \(below(4))"
    }
  }

  /// Returns a kind that the innermost row has a path to, and that lists can contain.
  private mutating func gatheredKind() -> Kind { pick([.number, .number, .text, .date, .uuid]) }

  /// Returns many values of a kind.
  mutating func values(_ kind: Kind, _ depth: Int) -> String? {
    guard let (path, destination) = collection(depth), let leaf = leaf(kind, of: destination) else {
      return list(kind, 0, isTyped: true)
    }
    switch below(10) {
    case 0, 1:
      let function = pick([
        "@distinctUnionOfObjects", "@unionOfObjects", "@distinctUnionOfArrays", "@unionOfArrays",
        "@distinctUnionOfSets",
      ])
      return "\(path).\(function).\(leaf)"
    case 2, 3:
      let others = depth > 0 ? values(kind, depth - 1) : list(kind, 0, isTyped: true)
      guard let others else { return nil }
      return "(\(path).\(leaf) \(pick(["UNION", "INTERSECT", "MINUS"])) \(others))"
    case 4: return list(kind, 0, isTyped: true)
    case 5:
      return "SUBQUERY(\(path).\(leaf), $n, $n \(tail(kind, 0)))"
    case 6 where kind == .number:
      return "mode(\(path).\(leaf))"
    default: return "\(path).\(leaf)"
    }
  }

  /// Returns a path of that kind from a destination.
  private mutating func leaf(_ kind: Kind, of destination: String) -> String? {
    SampleModelPaths.leaves(of: destination).filter { $0.kind == kind }
      .randomElement(using: &random)?.path
  }

  /// Returns objects that can be combined in a set with the objects of a path.
  private mutating func related(to destination: String) -> String? {
    let row = anyRow()
    let choices = SampleModelPaths.collections(of: row.entity).filter {
      $0.destination == destination
    }
    guard let path = choices.randomElement(using: &random)?.path else { return nil }
    return row.prefix + path
  }

  /// Returns text such as `(labels UNION ranking)`, or only the path if other objects aren't available.
  mutating func combined(_ path: String, _ destination: String) -> String {
    guard let others = related(to: destination) else { return path }
    return "(\(path) \(pick(["UNION", "INTERSECT", "MINUS"])) \(others))"
  }

  // MARK: Positions

  private mutating func placed(_ kind: Kind, _ depth: Int) -> String {
    guard let value = place(kind, depth) else { return missing() }
    return "\(value) \(tail(kind, 0))"
  }

  /// Returns text such as `children[0].text` or `{1, age}[n]`; nil if no accessible row has an ordered relationship.
  mutating func place(_ kind: Kind, _ depth: Int) -> String? {
    let row = anyRow()
    let ordered = SampleModelPaths.collections(of: row.entity).filter(\.isOrdered)
    guard below(5) > 0, let chosen = ordered.randomElement(using: &random),
      let leaf = leaf(kind, of: chosen.destination)
    else {
      guard kind.hasLiterals else { return nil }
      let members = (0..<3).map { _ in value(kind, 0) }.joined(separator: ", ")
      return "{\(members)}\(index(depth))"
    }
    let path = row.prefix + chosen.path
    return below(2) == 0 ? "\(path)\(index(depth)).\(leaf)" : "\(path).\(leaf)\(index(depth))"
  }

  private mutating func index(_ depth: Int) -> String {
    switch below(5) {
    case 0: "[FIRST]"
    case 1: "[LAST]"
    case 2 where depth > 0: "[\(value(.number, 0))]"
    default: "[\(below(3))]"
    }
  }

  // MARK: Statistics, methods

  mutating func statistic(_ depth: Int) -> String {
    let word = pick(["median", "stddev"])
    if below(3) == 0 {
      return "\(word)(\(value(.number, 0)), \(value(.number, 0)), \(value(.number, 0)))"
    }
    return "\(word)(\(values(.number, depth) ?? "{1}"))"
  }

  /// Returns a string method with a numeric result.
  mutating func textMethodNumber() -> String {
    let method = pick(["length", "integerValue", "doubleValue", "intValue"])
    return "FUNCTION(\(value(.text, 0)), '\(method)')"
  }

  /// Returns a string method with a string result.
  mutating func textMethod() -> String {
    let text = value(.text, 0)
    switch below(3) {
    case 0: return "FUNCTION(\(text), 'stringByAppendingString:', \(value(.text, 0)))"
    case 1:
      return
        "FUNCTION(\(text), '\(pick(["substringFromIndex:", "substringToIndex:"]))', \(below(3)))"
    default:
      return "FUNCTION(\(text), '\(pick(["uppercaseString", "lowercaseString", "description"]))')"
    }
  }

  // MARK: Entities

  /// Returns text such as `(entity == 'Gadget' AND serial > 3)`: a property of a sub-entity with a test of the entity.
  mutating func narrowed(_ depth: Int) -> String {
    let row = inner()
    guard
      let entity = SampleModelPaths.subtree(of: row.entity).dropFirst().randomElement(
        using: &random)
    else { return missing() }
    let test =
      below(2) == 0
      ? "\(row.prefix)entity == '\(entity)'" : "\(row.prefix)entity IN {'\(entity)'}"
    let outer = rows
    rows[rows.count - 1].entity = entity
    defer { rows = outer }
    let own = comparison(max(depth, 1))
    return below(2) == 0 ? "(\(test) AND (\(own)))" : "((\(own)) AND \(test))"
  }
}
