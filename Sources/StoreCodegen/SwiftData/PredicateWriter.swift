import StoreModel
import StorePredicate

/// Writes a checked predicate as the body of a `#Predicate`.
///
/// An optional side is unwrapped by `flatMap`: NULL satisfies neither a comparison nor its opposite, as
/// in a store. What a macro can't hold, as a date or an object's ID, stands in a constant before it.
struct PredicateWriter {
  let emitter: PersistentModelEmitter
  /// The predicate's parameter.
  let row: String
  let predicate: String
  let descriptor: String
  var constants: [(name: String, value: SwiftCode)] = []
  var pool: NamePool
  /// Variables of templates, by name.
  let parameters: [String: TemplateParameter]
  /// The members that a SUBQUERY or ANY is about: where a key path begins instead of at the row.
  var members: [String: String] = [:]
  /// Comparisons, and what is put around them for optional values and for members.
  var size = 0

  /// The compiler's time grows with each of them several times over.
  private static let greatestSize = 4

  init(_ emitter: PersistentModelEmitter, _ checked: CheckedTemplate) {
    self.emitter = emitter
    parameters = Dictionary(checked.parameters.map { ($0.variable.name, $0) }) { first, _ in first }
    pool = NamePool(taken: Set(checked.parameters.map(\.name)).union(SwiftName.keywords))
    let type = emitter.names.type(of: checked.template.entity)
    row = pool.takeNumbered(type.prefix(1).lowercased() + type.dropFirst())
    predicate = pool.takeNumbered("predicate")
    descriptor = pool.takeNumbered("descriptor")
  }

  /// Nil where every object is meant.
  ///
  /// - Throws: `Unsayable`
  mutating func condition(of checked: CheckedTemplate) throws -> SwiftCode? {
    guard checked.template.predicate != nil, checked.predicate.typed != .constant(true) else {
      return nil
    }
    let condition = try condition(checked.predicate.typed, isNegated: false)
    guard size <= Self.greatestSize else {
      throw Unsayable("the compiler does not check a #Predicate of that size in good time")
    }
    return condition
  }

  // MARK: Conditions

  /// - Parameter isNegated: what is wanted is the opposite.
  mutating func condition(_ predicate: TypedPredicate, isNegated: Bool) throws -> SwiftCode {
    switch predicate {
    case .constant(let isTrue): return .text("\(isTrue != isNegated)")
    case .not(let inner): return try condition(inner, isNegated: !isNegated)
    case .and(let members): return try joined(members, by: isNegated ? "||" : "&&", isNegated)
    case .or(let members): return try joined(members, by: isNegated ? "&&" : "||", isNegated)
    case .comparison(let comparison): return try self.comparison(comparison, isNegated: isNegated)
    }
  }

  private mutating func joined(
    _ members: [TypedPredicate], by symbol: String, _ isNegated: Bool
  ) throws -> SwiftCode {
    let operands = try members.map { member -> SwiftCode in
      let code = try condition(member, isNegated: isNegated)
      guard case .chain(_, let inner) = code, inner != symbol else { return code }
      return .row(["(", code, ")"])
    }
    return .chain(operands, operator: symbol)
  }

  private mutating func comparison(
    _ comparison: TypedComparison, isNegated: Bool
  ) throws -> SwiftCode {
    guard comparison.modifier == .direct else {
      return .text(try quantified(comparison, isNegated: isNegated))
    }
    let left = try term(comparison.left)
    return .text(try self.comparison(comparison, of: left, isNegated: isNegated))
  }

  /// - Parameter left: the left side, or the member that it stands for.
  mutating func comparison(
    _ comparison: TypedComparison, of left: PredicateTerm, isNegated: Bool
  ) throws -> String {
    size += 1
    switch comparison.operator {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard comparison.options.isEmpty else { throw comparison.unsayable }
      let operation = isNegated ? comparison.operator.opposite : comparison.operator
      let right = try term(comparison.right)
      let (one, other) = (converted(left, for: right), converted(right, for: left))
      guard one.fits(other) else {
        throw Unsayable("it compares \(left.type) with \(right.type)")
      }
      return try ordered(one, operation, other)
    case .between: return try between(comparison, left, isNegated: isNegated)
    case .in:
      let values = try list(comparison.right, of: left)
      return unwrapped(left) { "\(isNegated ? "!" : "")\(values).contains(\($0))" }
    case .contains, .beginsWith: return try text(comparison, left, isNegated: isNegated)
    case .endsWith, .like, .matches: throw comparison.unsayable
    }
  }

  private mutating func ordered(
    _ left: PredicateTerm, _ operation: Comparison.Operator, _ right: PredicateTerm
  ) throws -> String {
    let symbol = operation.rawValue
    if left.isNil || right.isNil {
      let other = left.isNil ? right : left
      // What is never nil can't be asked.
      guard other.isOptional else { return "\(operation == .notEqual)" }
      return "\(other.existence ?? other.code) \(symbol) nil"
    }
    let comparison = "\(left.code) \(symbol) \(right.code)"
    let optional = [left, right].filter(\.isOptional)
    let (isEquality, areStored) = (operation == .equal, left.isStored && right.isStored)
    switch optional.count {
    case 0: return comparison
    case 1 where !areStored && isEquality:
      // What is equal to a value is there.
      return comparison
    case 1 where !areStored && operation == .notEqual:
      size += 1
      return "(\(optional[0].isThere) && \(comparison))"
    case 1 where left.isOptional:
      return unwrapped(left) { "\($0) \(symbol) \(right.code)" }
    case 1: return unwrapped(right) { "\(left.code) \(symbol) \($0)" }
    case 2 where isEquality && !(areStored && left.parts.count + right.parts.count > 2):
      size += 1
      return "(\(left.isThere) && \(comparison))"
    default:
      throw Unsayable("it compares two properties of which either may have no value")
    }
  }

  /// False where there is no value. A macro does not see where a chain of question marks ends, so each
  /// part is unwrapped by itself.
  mutating func unwrapped(_ term: PredicateTerm, _ condition: (String) -> String) -> String {
    unwrapped(term.parts[...], term.isLastOptional, condition)
  }

  private mutating func unwrapped(
    _ parts: ArraySlice<String>, _ isLastOptional: Bool, _ condition: (String) -> String
  ) -> String {
    let isLast = parts.count == 1
    guard let first = parts.first, !isLast || isLastOptional else {
      return condition(parts.first ?? "")
    }
    size += 1
    let name = pool.takeNumbered(isLast ? "value" : "object")
    var rest = parts.dropFirst()
    if let next = rest.first { rest[rest.startIndex] = "\(name).\(next)" }
    let inner = isLast ? condition(name) : unwrapped(rest, isLastOptional, condition)
    return "(\(first).flatMap { \(name) in \(inner) } ?? false)"
  }

  // MARK: Several values

  private mutating func between(
    _ comparison: TypedComparison, _ left: PredicateTerm, isNegated: Bool
  ) throws -> String {
    guard case .list(let bounds) = comparison.right.kind, bounds.count == 2 else {
      throw comparison.unsayable
    }
    let (low, high) = (try term(bounds[0]), try term(bounds[1]))
    guard !low.isOptional, !high.isOptional, left.fits(low), left.fits(high) else {
      throw comparison.unsayable
    }
    size += 1
    return unwrapped(left) { value in
      isNegated
        ? "(\(value) < \(low.code) || \(value) > \(high.code))"
        : "(\(value) >= \(low.code) && \(value) <= \(high.code))"
    }
  }

  private mutating func text(
    _ comparison: TypedComparison, _ left: PredicateTerm, isNegated: Bool
  ) throws -> String {
    let right = try term(comparison.right)
    let string = emitter.types.swift("String")
    guard left.type == string, right.type == string, !right.isOptional else {
      throw comparison.unsayable
    }
    let method: String
    switch (comparison.operator, comparison.options) {
    case (.contains, []): method = "contains("
    case (.contains, [.caseInsensitive, .diacriticInsensitive]):
      method = "localizedStandardContains("
    case (.beginsWith, []): method = "starts(with: "
    default: throw comparison.unsayable
    }
    return unwrapped(left) { "\(isNegated ? "!" : "")\($0).\(method)\(right.code))" }
  }
}

extension Comparison.Operator {
  fileprivate var opposite: Self {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    default: self
    }
  }
}

extension TypedComparison {
  var unsayable: Unsayable {
    let letters: [(Comparison.Options, String)] = [
      (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"),
      (.localeSensitive, "l"),
    ]
    let flags = letters.filter { options.contains($0.0) }.map(\.1).joined()
    let word = self.operator.rawValue + (flags.isEmpty ? "" : "[\(flags)]")
    return Unsayable("a #Predicate has no \(word) of such values")
  }
}
