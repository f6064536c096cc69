import StorePredicate

/// One run of `PredicateChecker`: collects the mistakes and the variables' types on its way.
struct Checking {
  let checker: PredicateChecker
  var errors: [CheckError] = []
  /// Variables to be filled in, by first mention.
  var variables: [TypedVariable] = []
  /// `$x` of the SUBQUERYs around, with the type of the members.
  var elements: [String: ValueType] = [:]
  /// What the conjunctions around say of the entities of rows.
  var narrowing: EntityNarrowing
  /// Key paths that resolved, each as often as it was looked at.
  private var resolved: [TypedKeyPath] = []

  init(_ checker: PredicateChecker) {
    self.checker = checker
    narrowing = checker.narrowing
  }

  var model: Model { checker.model }

  /// An expression with the type that it was found to have.
  struct Typed {
    var expression: Expression
    var type: ValueType
    /// What it resolves to, when it is a key path.
    var path: ResolvedKeyPath?
    /// Of a collection whose members have no places: what takes the order away, by its name.
    var unordered: String?

    /// Its type is for the other side to decide: constants and variables.
    var isOpen: Bool {
      switch expression.kind {
      case .constant, .variable: true
      case .list(let members): members.allSatisfy { Typed(expression: $0, type: .any).isOpen }
      default: false
      }
    }
  }

  mutating func report(_ kind: CheckError.Kind, at range: TextRange) {
    errors.append(CheckError(kind, at: range))
  }

  mutating func note(_ keyPath: Expression, as type: ValueType) {
    resolved.append(TypedKeyPath(keyPath: keyPath, type: type))
  }

  /// Each once, in the order of the text.
  var keyPaths: [TypedKeyPath] {
    var seen: Set<TypedKeyPath> = []
    return resolved.sorted { $0.keyPath.range.lowerBound < $1.keyPath.range.lowerBound }
      .filter { seen.insert($0).inserted }
  }

  /// All that was reported, in the order of the text; nil when nothing was. A part that is looked at
  /// again when its type is known reports its mistakes again.
  func failure(in text: PredicateText?) -> CheckFailure? {
    guard !errors.isEmpty else { return nil }
    struct Mistake: Hashable { var kind: CheckError.Kind, start: Int, end: Int }
    var seen: Set<Mistake> = []
    let found = errors.sorted { $0.range.lowerBound < $1.range.lowerBound }.filter { error in
      seen.insert(
        Mistake(kind: error.kind, start: error.range.lowerBound, end: error.range.upperBound)
      ).inserted
    }
    return CheckFailure(found, in: text)
  }

  mutating func check(_ predicate: Predicate) -> Predicate {
    switch predicate {
    case .constant: predicate
    case .comparison(let comparison): .comparison(check(comparison))
    case .and(let members): .and(check(conjunction: members))
    case .or(let members): .or(members.map { check($0) })
    case .not(let negated): .not(check(negated))
    }
  }

  private mutating func check(conjunction members: [Predicate]) -> [Predicate] {
    let outer = narrowing
    narrowing = narrowing.narrowed(by: members)
    defer { narrowing = outer }
    return members.map { check($0) }
  }

  /// Remembers what a variable is compared with; the first definite type counts.
  mutating func note(_ name: String, as type: ValueType, at range: TextRange) {
    guard let index = variables.firstIndex(where: { $0.name == name }) else {
      variables.append(TypedVariable(name: name, type: type))
      return
    }
    let known = variables[index].type
    if known == .any {
      variables[index].type = type
    } else if type != .any, !areComparable(known, type) {
      report(.mismatch(known, type), at: range)
    }
  }

  /// Values of the two types can be equal.
  func areComparable(_ left: ValueType, _ right: ValueType) -> Bool {
    switch (left, right) {
    case (.any, _), (_, .any): return true
    case (.collection(let left), .collection(let right)): return areComparable(left, right)
    case (.object(let left), .object(let right)):
      guard let left = model.entity(named: left), let right = model.entity(named: right) else {
        return false
      }
      return model.isKind(left, of: right) || model.isKind(right, of: left)
    default:
      return left.family == right.family || left.family == .any || right.family == .any
    }
  }
}
