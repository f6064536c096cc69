import StoreModel
import StorePredicate

// Expressions of a given type.

extension PredicateSampler {
  mutating func value(_ kind: Kind, _ depth: Int) -> String {
    guard depth > 0, below(3) > (kind == .number || kind == .date ? 0 : 1) else {
      return leaf(kind) ?? literal(kind, isTyped: true)
    }
    if kind.isScalar {
      switch below(12) {
      case 0:
        return
          "TERNARY(\(predicate(depth - 1)), \(value(kind, depth - 1)), \(value(kind, depth - 1)))"
      case 1: return extreme(kind, depth)
      case 2: return "noindex:(\(value(kind, depth - 1)))"
      case 3: return place(kind, depth - 1) ?? literal(kind, isTyped: true)
      default: break
      }
    }
    switch kind {
    case .number: return number(depth)
    case .text: return text(depth)
    case .date: return date(depth)
    case .uuid where below(2) == 0:
      return "CAST(CAST(\(value(.uuid, 0)), 'NSString'), 'NSUUID')"
    case .binary where below(2) == 0: return "CAST(\(value(.text, 0)), 'NSData')"
    case .boolean, .uuid, .binary, .opaque, .object:
      return leaf(kind) ?? literal(kind, isTyped: true)
    }
  }

  /// Returns the key paths of to-one steps.
  func leaves(_ kind: Kind, of row: Row) -> [SampleModelPaths.Leaf] {
    SampleModelPaths.leaves(of: row.entity).filter { leaf in
      guard case .object(let wanted) = kind, case .object(let found) = leaf.kind else {
        return leaf.kind == kind
      }
      return SampleModelPaths.lineage(of: found).contains(wanted)
        || SampleModelPaths.lineage(of: wanted).contains(found)
    }
  }

  /// Returns a key path; nil if no accessible row has one.
  mutating func leaf(_ kind: Kind) -> String? {
    var row = anyRow()
    if leaves(kind, of: row).isEmpty { row = inner() }
    let all = leaves(kind, of: row)
    let near = all.filter { $0.steps == 0 }
    guard let chosen = (below(3) > 0 && !near.isEmpty ? near : all).randomElement(using: &random)
    else { return nil }
    if below(12) == 0 {
      return row.prefix + placeholder("%K", .value(.string(chosen.path)))
    }
    let isSpelled = row.prefix.isEmpty && below(8) == 0
    return (isSpelled ? "SELF." : row.prefix) + chosen.path
  }

  // MARK: Numbers

  private mutating func number(_ depth: Int) -> String {
    let inner = depth - 1
    switch below(16) {
    case 14: return statistic(depth)
    case 15: return textMethodNumber()
    case 0...4:
      let symbol = pick(["+", "-", "*", "/", "+", "-", "*", "/", "**", "&", "|", "^", "<<", ">>"])
      let (left, right) = (value(.number, inner), value(.number, inner))
      if below(6) == 0, let name = Self.selectors[symbol] { return "\(name)(\(left), \(right))" }
      return "(\(left) \(symbol) \(right))"
    case 5 where below(3) == 0: return "-(\(value(.number, inner)))"
    case 5 where below(2) == 0:
      return "(\(value(.date, inner)) - CAST(\(value(.number, inner)), 'NSDate'))"
    case 5...7: return call(Self.numberFunctions, depth)
    case 8: return count(depth)
    case 9:
      let name = pick(["sum", "average", "count", "avg"])
      let values = (0..<(2 + below(2))).map { _ in value(.number, inner) }.joined(separator: ", ")
      return below(2) == 0 ? "\(name)(\(values))" : "\(name)({\(values)})"
    case 10:
      switch below(4) {
      case 3: return "CAST(\(value(pick([.date, .boolean]), inner)), 'NSNumber')"
      case 0: return "CAST(\(value(.text, inner)), 'NSNumber')"
      case 1: return "CAST(\(value(.number, inner)), 'NSDecimalNumber')"
      default: return "(\(value(.date, inner)) - \(value(.date, inner)))"
      }
    default: return folded(depth)
    }
  }

  private static let numberFunctions = FormatFunction.allCases.filter { function in
    switch (function.definition.parameters, function.definition.result) {
    case (.arguments([]), _), (.members, _), (_, .text), (_, .date): false
    case (.arguments(let types), .argument): types[0] == .number && function != .randomBelow
    case (.arguments(let types), _): !types.contains(.location)
    }
  }

  private static let textFunctions = FormatFunction.allCases.filter { function in
    if case .text = function.definition.result { true } else { false }
  }

  /// Returns a call of one of the functions on numbers and strings, by its selector or its first word.
  private mutating func call(_ functions: [FormatFunction], _ depth: Int) -> String {
    let function = pick(functions)
    guard case .arguments(let types) = function.definition.parameters else { return "0" }
    let arguments = types.map { value($0 == .text ? .text : .number, depth - 1) }
    let name = function.rawValue
    let spelling = below(2) == 0 ? name : String(name.prefix { $0 != ":" })
    return "\(spelling)(\(arguments.joined(separator: ", ")))"
  }

  static let selectors = [
    "+": "add:to:", "-": "from:subtract:", "*": "multiply:by:", "/": "divide:by:",
    "**": "raise:toPower:", "&": "bitwiseAnd:with:", "|": "bitwiseOr:with:",
    "^": "bitwiseXor:with:", "<<": "leftshift:by:", ">>": "rightshift:by:",
  ]

  /// Returns text such as `things.@sum.price` or `average(things.price)`.
  private mutating func folded(_ depth: Int) -> String {
    guard let (path, destination) = collection(depth),
      let leaf = SampleModelPaths.leaves(of: destination).filter({ $0.kind == .number })
        .randomElement(using: &random)
    else { return count(depth) }
    switch below(4) {
    case 0: return "\(pick(["sum", "average", "count"]))(\(path).\(leaf.path))"
    case 1: return "\(path).@avg.\(leaf.path)"
    default: return "\(path).@sum.\(leaf.path)"
    }
  }

  /// Returns the minimum or maximum of a collection's values, or of a few values.
  private mutating func extreme(_ kind: Kind, _ depth: Int) -> String {
    let word = pick(["min", "max"])
    if below(3) > 0, let (path, destination) = collection(depth),
      let leaf = SampleModelPaths.leaves(of: destination).filter({ $0.kind == kind })
        .randomElement(using: &random)
    {
      return below(3) == 0
        ? "\(word)(\(path).\(leaf.path))" : "\(path).@\(word).\(leaf.path)"
    }
    return "\(word)(\(value(kind, depth - 1)), \(value(kind, depth - 1)))"
  }

  // MARK: Text and dates

  private mutating func text(_ depth: Int) -> String {
    switch below(8) {
    case 5: return textMethod()
    case 6:
      let kind: Kind = pick([.number, .number, .boolean, .date, .uuid])
      return "CAST(\(value(kind, depth - 1)), 'NSString')"
    case 7: return "CAST(\(value(.text, depth - 1)), 'NSURL')"
    case 0...2: return call(Self.textFunctions, depth)
    case 3: return "CAST(length(\(value(.text, depth - 1))), 'NSString')"
    default: return value(.text, depth - 1)
    }
  }

  private mutating func date(_ depth: Int) -> String {
    switch below(6) {
    case 4: return "CAST(CAST(\(value(.date, depth - 1)), 'NSString'), 'NSDate')"
    case 0, 5: return "now()"
    case 1: return "CAST(\(value(.number, depth - 1)), 'NSDate')"
    default:
      return "(\(value(.date, depth - 1)) \(pick(["+", "-"])) \(value(.number, depth - 1)))"
    }
  }

  // MARK: Objects

  /// Returns an object that may belong to an entity: a path, `SELF` or a constant.
  mutating func object(_ entity: String) -> String {
    switch below(4) {
    case 0: return leaf(.object(entity)) ?? constant(entity)
    case 1:
      let row = anyRow()
      let isComparable =
        SampleModelPaths.lineage(of: row.entity).contains(entity)
        || SampleModelPaths.lineage(of: entity).contains(row.entity)
      return isComparable ? row.name : constant(entity)
    default: return constant(entity)
    }
  }

  /// Returns the ID of an object with its entity or a parent of it. Sometimes the entity is wrong, or the store is
  /// another one.
  mutating func constant(_ entity: String) -> String {
    let names = SampleModelPaths.subtree(of: entity)
    let object = pick(graph.objects.filter { names.contains($0.entity) })
    let possible = names + SampleModelPaths.lineage(of: entity)
    let truthful = SampleModelPaths.lineage(of: object.entity).filter(possible.contains)
    let store = pick([nil, nil, SampleGraph.storeUUID, "00000000-0000-0000-0000-000000000000"])
    let id = ObjectID(
      store: store, entity: below(4) == 0 ? pick(possible) : pick(truthful),
      primaryKey: object.primaryKey)
    switch below(5) {
    case 0: return variable(.value(.objectID(id)))
    case 1: return "CAST('\(id.uri)', 'NSManagedObjectID')"
    default: return FormatExpression.value(.objectID(id)).format
    }
  }
}

extension SampleModelPaths.Kind {
  /// Whether TERNARY, `min` and similar functions can return values of the kind.
  fileprivate var isScalar: Bool { hasLiterals && self != .boolean }
}
