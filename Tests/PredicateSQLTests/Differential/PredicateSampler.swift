import SeededRandom
import StoreModel
import StorePredicate
import TestSupport

/// Generates predicates as text, with every construct, that the checker of a model accepts.
///
/// It tracks the accessible objects (the row, and the elements of the enclosing SUBQUERYs) and the type that each
/// operand requires.
struct PredicateSampler {
  typealias Kind = SampleModelPaths.Kind

  /// A predicate with the values of its variables.
  struct Sample {
    var entity: String
    var text: String
    var bindings: [String: FormatExpression]
    /// The arguments for `%@`, `%K` and `%d`.
    var arguments: [FormatArgument]

    func predicate() throws -> FormatPredicate {
      try FormatPredicate(parsing: text, arguments: arguments).substituting(bindings)
    }
  }

  /// An accessible object.
  struct Row {
    /// The name: `SELF` or `$e`.
    var name: String
    /// The prefix of a key path from this object: empty or `$e.`.
    var prefix: String
    var entity: String
  }

  let graph: SampleGraph
  var random: SeededGenerator
  /// The accessible objects, with the innermost last.
  var rows: [Row] = []
  private var bindings: [String: FormatExpression] = [:]
  /// The arguments. Placeholders are marks until the text is complete, because arguments are counted from left to
  /// right.
  private var arguments: [(placeholder: String, argument: FormatArgument)] = []

  init(graph: SampleGraph, seed: UInt64) {
    self.graph = graph
    random = SeededGenerator(seed: seed)
  }

  mutating func sample() -> Sample {
    let entity = pick(SampleGraph.entities + ["Thing", "Thing", "Gadget", "Person"])
    rows = [Row(name: "SELF", prefix: "", entity: entity)]
    bindings = [:]
    arguments = []
    let marked = predicate(pick([0, 1, 1, 2, 2, 3]))
    var sample = Sample(entity: entity, text: "", bindings: bindings, arguments: [])
    for (index, piece) in marked.split(separator: Self.mark, omittingEmptySubsequences: false)
      .enumerated()
    {
      guard !index.isMultiple(of: 2), let number = Int(piece) else {
        sample.text += piece
        continue
      }
      sample.text += arguments[number].placeholder
      sample.arguments.append(arguments[number].argument)
    }
    return sample
  }

  private static let mark: Character = "\u{1}"

  // MARK: Conditions

  mutating func predicate(_ depth: Int) -> String {
    guard depth > 0 else { return comparison(0) }
    switch below(9) {
    case 0, 1: return compound(["AND", "&&", "and"], depth)
    case 2, 3: return compound(["OR", "||", "Or"], depth)
    case 4, 5: return "\(pick(["NOT", "!", "not"])) (\(predicate(depth - 1)))"
    default: return comparison(depth)
    }
  }

  private mutating func compound(_ words: [String], _ depth: Int) -> String {
    let members = (0..<(2 + below(2))).map { _ in "(\(predicate(depth - 1)))" }
    return members.joined(separator: " \(pick(words)) ")
  }

  mutating func comparison(_ depth: Int) -> String {
    switch below(42) {
    case 0: return pick(["TRUEPREDICATE", "FALSEPREDICATE"])
    case 1...7: return quantified(depth)
    case 8...10: return "\(count(depth)) \(relation()) \(pick(["0", "0", "1", "1", "2", "3"]))"
    case 11, 12: return containment(depth)
    case 13: return mirrored(depth)
    case 14: return "\(inner().prefix)entity \(entityTail(inner().entity))"
    case 15: return "\(inner().name) \(tail(.object(inner().entity), depth))"
    case 16...19: return gathered(depth)
    case 20: return narrowed(depth)
    default: break
    }
    let kind = anyKind()
    return "\(value(kind, max(depth, below(3)))) \(tail(kind, depth))"
  }

  /// Returns a kind that the innermost row has a path to.
  private mutating func anyKind() -> Kind {
    let kinds = SampleModelPaths.leaves(of: inner().entity).map(\.kind)
    return below(3) == 0 && kinds.contains(.number) ? .number : pick(kinds)
  }

  /// Returns text such as `ANY things.text == 'a'` or `NONE SUBQUERY(things, $x, …).owner == nil`.
  private mutating func quantified(_ depth: Int) -> String {
    let word = pick(["ANY", "SOME", "ALL", "NONE", "any"])
    if below(12) == 0 {
      // A quantifier of a single value has no effect.
      let kind = anyKind()
      return "\(word) \(value(kind, 0)) \(tail(kind, 0))"
    }
    guard let (path, destination) = collection(depth) else { return missing() }
    if below(8) == 0 { return "\(word) \(path).entity \(entityTail(destination))" }
    if below(5) == 0 { return "\(word) \(path) \(tail(.object(destination), depth))" }
    let leaf = pick(SampleModelPaths.leaves(of: destination))
    return "\(word) \(path).\(leaf.path) \(tail(leaf.kind, depth))"
  }

  /// Returns text such as `things CONTAINS $x`, `{1, 2} CONTAINS age`, `'a' IN tags.key` or `$x IN things`.
  private mutating func containment(_ depth: Int) -> String {
    guard let (path, destination) = collection(depth) else { return missing() }
    switch below(4) {
    case 0: return "\(path) CONTAINS \(object(destination))"
    case 1: return "\(object(destination)) IN \(path)"
    case 2:
      let kind = anyKind()
      guard case .object = kind else {
        guard kind != .opaque else { return missing() }
        return "\(list(kind, depth, isTyped: true)) CONTAINS \(value(kind, depth))"
      }
      return "\(path) CONTAINS \(object(destination))"
    default:
      let leaf = pick(SampleModelPaths.leaves(of: destination).filter { $0.kind.hasLiterals })
      return "\(literal(leaf.kind, isTyped: false)) IN \(path).\(leaf.path)"
    }
  }

  /// Returns a comparison with the constant on the left.
  private mutating func mirrored(_ depth: Int) -> String {
    let kind = anyKind()
    guard kind.hasLiterals, below(4) > 0 else {
      return "nil \(pick(["==", "!=", "=", "<>"])) \(value(kind, depth))"
    }
    let comparison = kind == .boolean ? pick(["==", "!="]) : relation()
    return "\(literal(kind, isTyped: false)) \(comparison) \(value(kind, 0))"
  }

  mutating func missing() -> String {
    let leaf = pick(SampleModelPaths.leaves(of: inner().entity))
    return
      "\(inner().prefix)\(leaf.path) \(pick(["==", "!=", "=", "<>"])) \(pick(["nil", "NULL", "null"]))"
  }

  mutating func relation() -> String {
    pick(["==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"])
  }

  // MARK: Collections

  /// Returns a collection of objects: a path from any accessible row, or a SUBQUERY of one.
  mutating func collection(_ depth: Int) -> (text: String, destination: String)? {
    let row = anyRow()
    let choices = SampleModelPaths.collections(of: row.entity)
    let short = choices.filter { $0.steps == 1 }
    let preferred = below(3) > 0 && !short.isEmpty ? short : choices
    guard let chosen = preferred.randomElement(using: &random) else { return nil }
    let path = (below(12) == 0 ? start(at: row.entity) : row.prefix) + chosen.path
    if below(16) == 0 { return (combined(path, chosen.destination), chosen.destination) }
    guard depth > 0, below(4) == 0 else { return (path, chosen.destination) }
    return (subquery(of: path, chosen.destination, depth - 1), chosen.destination)
  }

  /// Returns the beginning of a path from an object that a variable contains.
  private mutating func start(at entity: String) -> String {
    let objects = graph.objects.filter {
      SampleModelPaths.lineage(of: $0.entity).contains(entity)
    }
    let id = ObjectID(store: nil, entity: entity, primaryKey: pick(objects).primaryKey)
    return variable(.value(.objectID(id))) + "."
  }

  mutating func subquery(of path: String, _ destination: String, _ depth: Int) -> String {
    let name = pick(["$a", "$b", "$c", "$d", "$e"])
    let outer = rows
    // A variable hides an outer variable with the same name.
    rows.removeAll { $0.name == name }
    rows.append(Row(name: name, prefix: "\(name).", entity: destination))
    defer { rows = outer }
    return "SUBQUERY(\(path), \(name), \(predicate(depth)))"
  }

  /// Returns a number of objects.
  mutating func count(_ depth: Int) -> String {
    guard let (path, destination) = collection(depth) else { return "0" }
    switch below(6) {
    case 0: return "\(path)[SIZE]"
    case 1: return "count(\(path))"
    case 2, 3:
      return "\(subquery(of: path, destination, max(depth - 1, below(2)))).@count"
    default: return "\(path).@count"
    }
  }

  // MARK: Random choices

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[below(choices.count)]
  }

  /// Returns the innermost row in most cases, so that a SUBQUERY uses its element.
  mutating func anyRow() -> Row { below(4) == 0 ? pick(rows) : inner() }

  func inner() -> Row { rows[rows.count - 1] }

  /// Returns a placeholder and registers its argument.
  mutating func placeholder(_ placeholder: String, _ argument: FormatArgument) -> String {
    arguments.append((placeholder, argument))
    return "\(Self.mark)\(arguments.count - 1)\(Self.mark)"
  }

  /// Returns the name of a new variable with that value.
  mutating func variable(_ value: FormatExpression) -> String {
    let name = "V\(bindings.count)"
    bindings[name] = value
    return "$\(name)"
  }
}

extension SampleModelPaths.Kind {
  /// Whether the kind has constants that can be compared with any of its attributes.
  var hasLiterals: Bool {
    switch self {
    case .number, .boolean, .text, .date, .uuid, .binary: true
    case .opaque, .object: false
    }
  }
}
