import KeyedArchives
import StorePredicate

extension KeyedArchiveWriter {
  mutating func predicate(_ predicate: Predicate) -> Reference {
    switch predicate {
    case .constant(let isTrue): object(isTrue ? .truePredicate : .falsePredicate, [])
    case .not(let member): compound(.not, [member])
    case .and(let members): compound(.and, members)
    case .or(let members): compound(.or, members)
    case .comparison(let comparison):
      self.comparison(
        comparison.operator, expression(comparison.left), expression(comparison.right),
        modifier: comparison.modifier, options: comparison.options)
    }
  }

  private enum Compound: Int64 {
    case not = 0
    case and = 1
    case or = 2
  }

  private mutating func compound(_ kind: Compound, _ members: [Predicate]) -> Reference {
    let members = members.map { predicate($0) }
    return object(
      .compoundPredicate,
      [
        ("NSCompoundPredicateType", .integer(kind.rawValue)),
        ("NSSubpredicates", .object(collection(members))),
      ])
  }

  mutating func comparison(
    _ symbol: Comparison.Operator, _ left: Reference, _ right: Reference,
    modifier: Comparison.Modifier = .direct, options: Comparison.Options = []
  ) -> Reference {
    object(
      .comparisonPredicate,
      [
        ("NSLeftExpression", .object(left)), ("NSRightExpression", .object(right)),
        ("NSPredicateOperator", .object(operation(symbol, modifier, options))),
      ])
  }

  /// Each class of operators has its own way to say more than the type does.
  private mutating func operation(
    _ symbol: Comparison.Operator, _ modifier: Comparison.Modifier, _ options: Comparison.Options
  ) -> Reference {
    let code = ArchivedCode.code(of: symbol)
    let values: [(key: String, value: Field)] = [
      ("NSOperatorType", .integer(code)), ("NSModifier", .integer(ArchivedCode.code(of: modifier))),
    ]
    let optionValue = Field.integer(Int64(options.rawValue))
    switch symbol {
    case .equal, .notEqual:
      return object(
        .equalityOperator,
        values + [("NSNegate", .boolean(symbol == .notEqual)), ("NSOptions", optionValue)])
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return object(
        .orderOperator, values + [("NSVariant", .integer(code)), ("NSOptions", optionValue)])
    case .in, .contains: return object(.membershipOperator, values + [("NSFlags", optionValue)])
    case .between: return object(.betweenOperator, values)
    case .beginsWith, .endsWith:
      let position = Field.integer(symbol == .beginsWith ? 0 : 1)
      return object(
        .substringOperator, values + [("NSFlags", optionValue), ("NSPosition", position)])
    case .like: return object(.likeOperator, values + [("NSFlags", optionValue)])
    case .matches: return object(.matchingOperator, values + [("NSFlags", optionValue)])
    }
  }
}
