import StorePredicate

/// One run of `PredicateChecker`: makes the typed tree, and collects the mistakes and the variables'
/// types on its way. It looks at each expression once.
struct TypeChecker {
  let checker: PredicateChecker
  var errors: [CheckError] = []
  /// Variables to be filled in, by first mention.
  var variables: [TypedVariable] = []
  /// `$x` of the SUBQUERYs around, with the type of the members.
  var elements: [String: ValueType] = [:]
  /// What the conjunctions around say of the entities of rows.
  var narrowing = EntityNarrowing()

  /// A comparison takes a number for text, as SQLite does. A value of an attribute has its own type.
  let comparesDigits: Bool

  init(_ checker: PredicateChecker, comparesDigits: Bool = true) {
    self.checker = checker
    self.comparesDigits = comparesDigits
  }

  var model: Model { checker.model }

  mutating func report(_ kind: CheckError.Kind, at range: TextRange) {
    errors.append(CheckError(kind, at: range))
  }

  /// - Throws: all that was reported, in the order of the text.
  func finish(in text: PredicateText?) throws(CheckErrors) {
    guard !errors.isEmpty else { return }
    throw CheckErrors(errors.sorted { $0.range.lowerBound < $1.range.lowerBound }, in: text)
  }

  mutating func check(_ predicate: FormatPredicate) -> TypedPredicate {
    switch predicate {
    case .constant(let isTrue): .constant(isTrue)
    case .comparison(let comparison): .comparison(check(comparison))
    case .and(let members): .and(check(conjunction: members))
    case .or(let members): .or(members.map { check($0) })
    case .not(let negated): .not(check(negated))
    }
  }

  private mutating func check(conjunction members: [FormatPredicate]) -> [TypedPredicate] {
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
