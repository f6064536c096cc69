package import StoreModel
package import StorePredicate

/// A fetch request whose `==` ignores the values that are only bound to parameters of its statement. Requests with
/// equal shapes share one statement (`QueryTemplate`).
///
/// The ignored values are the limit, the offset, and the numbers, texts, dates, UUIDs and object IDs with which a plain
/// key path is compared by `==`, `!=`, `<`, `<=`, `>`, `>=`, BETWEEN or IN, without options. Everything else must be
/// equal, because the statement can depend on it. This includes the kinds of the ignored values, the entities and
/// stores of object IDs, and whether there is a limit or an offset.
package struct RequestShape: Hashable, Sendable {
  package let request: StoreFetchRequest
  /// The ignored constants, in the order of the request.
  package let parameters: [DataValue]
  /// The request with the same placeholder for all ignored values of a kind.
  private let pattern: StoreFetchRequest

  private static let partLimit = 200

  /// Creates the shape of a request, or nil if its predicates have more than 200 parts, because keeping the shape would
  /// be expensive.
  package init?(of request: StoreFetchRequest) {
    let predicates = [request.predicate, request.refinement].compactMap(\.self)
    guard predicates.reduce(0, { $0 + $1.partCount }) <= Self.partLimit else { return nil }
    var parameters: [DataValue] = []
    func placeholder(_ value: DataValue) -> DataValue {
      parameters.append(value)
      return value.placeholder
    }
    var pattern = request
    pattern.predicate = request.predicate?.replacingBound(placeholder)
    pattern.refinement = request.refinement?.replacingBound(placeholder)
    pattern.limit = request.limit.map { _ in 1 }
    pattern.offset = request.offset == 0 ? 0 : 1
    self.request = request
    self.pattern = pattern
    self.parameters = parameters
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(pattern) }

  package static func == (one: RequestShape, other: RequestShape) -> Bool {
    one.pattern == other.pattern
  }
}

extension FormatPredicate {
  /// The number of predicates and bound values.
  fileprivate var partCount: Int {
    switch self {
    case .constant: 1
    case .comparison(let comparison):
      1 + (comparison.binds ? comparison.right.memberCount : 0)
    case .and(let members), .or(let members): members.reduce(1) { $0 + $1.partCount }
    case .not(let negated): 1 + negated.partCount
    }
  }

  /// Returns the predicate with replaced values. Only values that can be bound are replaced.
  func replacingBound(_ replacement: (DataValue) -> DataValue) -> FormatPredicate {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      if comparison.binds { comparison.right.replaceBound(replacement) }
      return .comparison(comparison)
    case .and(let members): return .and(members.map { $0.replacingBound(replacement) })
    case .or(let members): return .or(members.map { $0.replacingBound(replacement) })
    case .not(let negated): return .not(negated.replacingBound(replacement))
    }
  }
}

extension FormatExpression {
  fileprivate var memberCount: Int {
    if case .list(let members) = kind { members.count } else { 1 }
  }

  /// Replaces the value of a constant, or the values of a list.
  fileprivate mutating func replaceBound(_ replacement: (DataValue) -> DataValue) {
    switch kind {
    case .constant(let value) where value.isBound: kind = .constant(replacement(value))
    case .list(var members):
      for index in members.indices {
        guard case .constant = members[index].kind else { continue }
        members[index].replaceBound(replacement)
      }
      kind = .list(members)
    default: break
    }
  }
}

extension FormatComparison {
  /// Whether constants on the right side can be bound to parameters of a shared statement (`DataValue.isBound`).
  var binds: Bool {
    guard modifier == .direct, options.isEmpty, left.kind == .selfObject || left.ownKeys != nil
    else { return false }
    let isList = if case .list = right.kind { true } else { false }
    switch self.operator {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: return !isList
    case .between, .in: return isList
    case .contains, .beginsWith, .endsWith, .like, .matches: return false
    }
  }
}

extension DataValue {
  /// Whether the value can be bound to a parameter of a shared statement. NULL is part of the SQL, and bytes can
  /// require a leading marker. Booleans needn't be bound, because each leads to at most two statements.
  var isBound: Bool {
    switch self {
    case .integer, .double, .string, .date, .uuid, .objectID: true
    case .null, .boolean, .binary: false
    }
  }

  /// The value that represents all bound values of the same kind. The entity and the store of an object ID aren't
  /// bound, so they are kept.
  var placeholder: DataValue {
    switch self {
    case .integer: .integer(0)
    case .double: .double(0)
    case .string: .string("")
    case .date: .date(0)
    case .uuid: DataValue(uuid: Array(repeating: 0, count: 16)) ?? self
    case .objectID(let id):
      .objectID(ObjectID(store: id.store, entity: id.entity, primaryKey: 0))
    case .null, .boolean, .binary: self
    }
  }
}
