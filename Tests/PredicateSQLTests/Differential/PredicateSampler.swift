import SeededRandom
import StoreModel
import StorePredicate
import TestSupport

/// Makes predicates as text, of every construct, that the checker of a model accepts.
///
/// It knows which objects are in reach (the row, and the elements of the SUBQUERYs around) and what
/// type each place wants.
struct PredicateSampler {
  typealias Kind = SampleModelPaths.Kind

  /// A predicate and what to put in for its variables.
  struct Sample {
    var entity: String
    var text: String
    var bindings: [String: FormatExpression]
    /// For `%@`, `%K`, `%d`
    var arguments: [FormatArgument]

    func predicate() throws -> FormatPredicate {
      try FormatPredicate(parsing: text, arguments: arguments).substituting(bindings)
    }
  }

  /// An object in reach.
  struct Row {
    /// `SELF`, `$e`
    var name: String
    /// What a key path that begins here begins with: nothing, `$e.`
    var prefix: String
    var entity: String
  }

  let graph: SampleGraph
  var random: SeededGenerator
  /// The innermost last.
  var rows: [Row] = []
  private var bindings: [String: FormatExpression] = [:]
  /// A placeholder is a mark in the text until all of it stands: arguments are counted from left to right.
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

  /// A kind that the innermost row has a path to.
  private mutating func anyKind() -> Kind {
    let kinds = SampleModelPaths.leaves(of: inner().entity).map(\.kind)
    return below(3) == 0 && kinds.contains(.number) ? .number : pick(kinds)
  }

  /// `ANY things.text == 'a'`, `NONE SUBQUERY(things, $x, …).owner == nil`
  private mutating func quantified(_ depth: Int) -> String {
    let word = pick(["ANY", "SOME", "ALL", "NONE", "any"])
    if below(12) == 0 {
      // Before one value it changes nothing.
      let kind = anyKind()
      return "\(word) \(value(kind, 0)) \(tail(kind, 0))"
    }
    guard let (path, destination) = collection(depth) else { return missing() }
    if below(8) == 0 { return "\(word) \(path).entity \(entityTail(destination))" }
    if below(5) == 0 { return "\(word) \(path) \(tail(.object(destination), depth))" }
    let leaf = pick(SampleModelPaths.leaves(of: destination))
    return "\(word) \(path).\(leaf.path) \(tail(leaf.kind, depth))"
  }

  /// `things CONTAINS $x`, `{1, 2} CONTAINS age`, `'a' IN tags.key`, `$x IN things`
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

  /// The constant on the left.
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

  /// A collection of objects: a path from any row in reach, or what a SUBQUERY leaves of one.
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

  /// The beginning of a path from an object that a variable holds.
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
    // A variable hides another of its name.
    rows.removeAll { $0.name == name }
    rows.append(Row(name: name, prefix: "\(name).", entity: destination))
    defer { rows = outer }
    return "SUBQUERY(\(path), \(name), \(predicate(depth)))"
  }

  /// A number of objects.
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

  // MARK: Chance

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[below(choices.count)]
  }

  /// Mostly the innermost row, so that a SUBQUERY speaks of its element.
  mutating func anyRow() -> Row { below(4) == 0 ? pick(rows) : inner() }

  func inner() -> Row { rows[rows.count - 1] }

  /// A placeholder with its argument.
  mutating func placeholder(_ placeholder: String, _ argument: FormatArgument) -> String {
    arguments.append((placeholder, argument))
    return "\(Self.mark)\(arguments.count - 1)\(Self.mark)"
  }

  /// The name of a new variable with that value.
  mutating func variable(_ value: FormatExpression) -> String {
    let name = "V\(bindings.count)"
    bindings[name] = value
    return "$\(name)"
  }
}

extension SampleModelPaths.Kind {
  /// There are constants of it that any attribute of the kind can be compared with.
  var hasLiterals: Bool {
    switch self {
    case .number, .boolean, .text, .date, .uuid, .binary: true
    case .opaque, .object: false
    }
  }
}
