package import StoreModel
package import StorePredicate

/// A predicate over target rows that refers to a source row as `$source`. Key paths that begin with `$source` are
/// extracted to `readings`, and replaced by variables.
package struct MatchPredicate: Hashable, Sendable {
  /// A value that is read from the source row.
  package struct Reading: Hashable, Sendable {
    /// A key path over the source row.
    package var path: FormatExpression
    /// The variable that replaces the key path.
    package var variable: String
  }

  /// The original predicate.
  package let written: FormatPredicate
  /// The predicate with variables in place of the key paths over the source row.
  package let predicate: FormatPredicate
  package let readings: [Reading]

  package init(_ predicate: FormatPredicate) {
    written = predicate
    var readings: [Reading] = []
    self.predicate = predicate.rewriting { part -> FormatExpression? in
      guard case .keyPath(let base, let keys) = part.kind,
        base.kind == .variable(MigrationDefinition.sourceVariable)
      else { return nil }
      let path = FormatExpression(
        .keyPath(base: FormatExpression(.selfObject), keys), range: part.range)
      let known = readings.first { $0.path == path }
      let reading = known ?? Reading(path: path, variable: "v\(readings.count)")
      if known == nil { readings.append(reading) }
      return FormatExpression(.variable(reading.variable), range: part.range)
    }
    self.readings = readings
  }

  /// The attributes of the target row that the predicate compares with `==`, alone or combined with AND. With an index
  /// on them, rows are found without a scan.
  var equatedAttributes: [String] {
    let conditions =
      if case .and(let members) = predicate { members } else { [predicate] }
    return conditions.compactMap { condition in
      guard case .comparison(let comparison) = condition, comparison.modifier == .direct,
        comparison.operator == .equal, comparison.options.isEmpty
      else { return nil }
      return comparison.left.ownAttribute ?? comparison.right.ownAttribute
    }
  }
}

/// A match that was checked against the models.
package struct TypedMatch: Hashable, Sendable {
  package let match: MatchPredicate
  /// The values that are read from the source row, one for each reading of the match.
  let readings: [TypedExpression]
  /// The condition over target rows.
  let predicate: TypedPredicate
  /// The variables of the predicate other than `$source`.
  let variables: [TypedVariable]

  /// - Parameters:
  ///   - source: the model and the entity of `$source`.
  ///   - target: the model and the entity of the rows to match.
  package init(
    _ match: MatchPredicate, source: (model: DataModel, entity: String),
    target: (model: DataModel, entity: String)
  ) throws(CheckErrors) {
    self.match = match
    let checker = PredicateChecker(model: source.model, entity: source.entity)
    readings = try match.readings.map { reading throws(CheckErrors) in
      try checker.check(reading.path).typed
    }
    let types = zip(match.readings, readings).map { ($0.variable, $1.type) }
    let checked = try PredicateChecker(
      model: target.model, entity: target.entity,
      variables: Dictionary(types) { first, _ in first }
    ).check(match.predicate)
    (predicate, variables) = (checked.typed, checked.variables)
  }
}

extension FormatExpression {
  /// The name of the row's attribute that the expression consists of; nil for any other expression.
  fileprivate var ownAttribute: String? {
    guard case .keyPath(let base, let steps) = kind, base.kind == .selfObject, steps.count == 1,
      case .key(let name) = steps[0].kind
    else { return nil }
    return name
  }

  /// Whether `property` is a step of a key path in the expression, or is equal to such a key path.
  func names(_ property: String) -> Bool {
    var isFound = false
    _ = rewriting { $0.find(property, &isFound) }
    return isFound
  }

  fileprivate func find(_ property: String, _ isFound: inout Bool) -> FormatExpression? {
    guard case .keyPath(_, let keys) = kind else { return nil }
    let steps = keys.compactMap { if case .key(let name) = $0.kind { name } else { nil } }
    if steps.contains(property) || steps.joined(separator: ".") == property { isFound = true }
    return nil
  }
}

extension FormatPredicate {
  /// Whether `property` is a step of a key path in the predicate, or is equal to such a key path.
  func names(_ property: String) -> Bool {
    var isFound = false
    _ = rewriting { $0.find(property, &isFound) }
    return isFound
  }
}

extension TypedExpression {
  func names(_ property: String) -> Bool { expression.names(property) }
}

extension TypedPredicate {
  func names(_ property: String) -> Bool { predicate.names(property) }
}
