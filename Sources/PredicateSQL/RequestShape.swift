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
  package let parameters: [Value]
  private let hash: Int

  /// Creates the shape of a request, or nil if its predicates have more than 200 parts, because keeping the shape would
  /// be expensive.
  package init?(of request: StoreFetchRequest) {
    var reader = ShapeReader()
    reader.read(request)
    guard reader.partsLeft >= 0 else { return nil }
    self.request = request
    parameters = reader.parameters
    hash = reader.hasher.finalize()
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  package static func == (one: RequestShape, other: RequestShape) -> Bool {
    one.hash == other.hash && one.parameters.count == other.parameters.count
      && one.request.hasShape(of: other.request)
  }
}

/// Computes the hash of a shape and collects its `parameters`.
private struct ShapeReader {
  var hasher = Hasher()
  var parameters: [Value] = []
  var partsLeft = 200

  mutating func read(_ request: StoreFetchRequest) {
    hasher.combine(request.entity)
    hasher.combine(request.result)
    hasher.combine(request.sort)
    hasher.combine(request.membership)
    hasher.combine(request.limit == nil)
    hasher.combine(request.offset == 0)
    // Other parts are compared, but not hashed.
    if let predicate = request.predicate { read(predicate) }
    if let refinement = request.refinement { read(refinement) }
  }

  private mutating func read(_ predicate: FormatPredicate) {
    partsLeft -= 1
    guard partsLeft >= 0 else { return }
    switch predicate {
    case .constant(let isTrue): hasher.combine(isTrue)
    case .comparison(let comparison): read(comparison)
    case .and(let members), .or(let members):
      hasher.combine(members.count)
      for member in members { read(member) }
    case .not(let negated): read(negated)
    }
  }

  private mutating func read(_ comparison: Comparison) {
    hasher.combine(comparison.operator)
    guard comparison.binds else {
      if partsLeft < comparison.right.memberCount {
        partsLeft = -1
      } else {
        hasher.combine(comparison)
      }
      return
    }
    hasher.combine(comparison.left)
    switch comparison.right.kind {
    case .list(let members):
      hasher.combine(members.count)
      for member in members { readSide(member) }
    default: readSide(comparison.right)
    }
  }

  private mutating func readSide(_ expression: FormatExpression) {
    partsLeft -= 1
    guard partsLeft >= 0 else { return }
    if case .constant(let value) = expression.kind, value.isBound {
      parameters.append(value)
    } else {
      hasher.combine(expression)
    }
  }
}

extension FormatExpression {
  fileprivate var memberCount: Int {
    if case .list(let members) = kind { members.count } else { 1 }
  }

  /// Whether the expression is the row, or a path of names from the row.
  fileprivate var isPlainPath: Bool {
    switch kind {
    case .selfObject: return true
    case .keyPath(let base, let steps):
      guard case .selfObject = base.kind else { return false }
      return steps.allSatisfy { if case .key = $0.kind { true } else { false } }
    default: return false
    }
  }

  /// Returns whether the expressions are equal, apart from the values of bound constants and the locations in the text.
  fileprivate func hasShape(of other: FormatExpression) -> Bool {
    switch (kind, other.kind) {
    case (.constant(let value), .constant(let otherValue)) where value.isBound:
      value.hasKind(of: otherValue)
    case (.list(let members), .list(let others)):
      members.count == others.count && zip(members, others).allSatisfy { $0.hasShape(of: $1) }
    default: self == other
    }
  }
}

extension Comparison {
  /// Whether constants on the right side can be bound to parameters of a shared statement (`Value.isBound`).
  var binds: Bool {
    guard modifier == .direct, options.isEmpty, left.isPlainPath else { return false }
    let isList = if case .list = right.kind { true } else { false }
    switch self.operator {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: return !isList
    case .between, .in: return isList
    case .contains, .beginsWith, .endsWith, .like, .matches: return false
    }
  }

  fileprivate func hasShape(of other: Comparison) -> Bool {
    guard binds, other.binds else { return self == other }
    return self.operator == other.operator && left == other.left
      && right.hasShape(of: other.right)
  }
}

extension Value {
  /// Whether the value can be bound to a parameter of a shared statement. NULL is part of the SQL, and bytes can
  /// require a leading marker. Booleans needn't be bound, because each leads to at most two statements.
  var isBound: Bool {
    switch self {
    case .integer, .double, .string, .date, .uuid, .objectID: true
    case .null, .boolean, .binary: false
    }
  }

  /// Returns whether both values can be bound and have the same kind. The entity and the store of an object ID aren't
  /// bound, so they must be equal.
  func hasKind(of other: Value) -> Bool {
    switch (self, other) {
    case (.integer, .integer), (.double, .double), (.string, .string), (.date, .date),
      (.uuid, .uuid):
      true
    case (.objectID(let id), .objectID(let otherID)):
      id.entity == otherID.entity && id.store == otherID.store
    default: false
    }
  }
}

extension FormatPredicate {
  fileprivate func hasShape(of other: FormatPredicate) -> Bool {
    switch (self, other) {
    case (.constant(let one), .constant(let two)): one == two
    case (.comparison(let one), .comparison(let two)): one.hasShape(of: two)
    case (.and(let one), .and(let two)), (.or(let one), .or(let two)):
      one.count == two.count && zip(one, two).allSatisfy { $0.hasShape(of: $1) }
    case (.not(let one), .not(let two)): one.hasShape(of: two)
    default: false
    }
  }
}

extension StoreFetchRequest {
  fileprivate func hasShape(of other: StoreFetchRequest) -> Bool {
    entity == other.entity && result == other.result && sort == other.sort
      && (limit == nil) == (other.limit == nil) && (offset == 0) == (other.offset == 0)
      && includesSubentities == other.includesSubentities && groupBy == other.groupBy
      && membership == other.membership && having == other.having && isDistinct == other.isDistinct
      && sections == other.sections
      && Self.haveOneShape(predicate, other.predicate)
      && Self.haveOneShape(refinement, other.refinement)
  }

  private static func haveOneShape(_ one: FormatPredicate?, _ other: FormatPredicate?) -> Bool {
    switch (one, other) {
    case (nil, nil): true
    case (let one?, let other?): one.hasShape(of: other)
    default: false
    }
  }
}
