import StorePredicate

extension KeyedArchiveWriter {
  mutating func predicate(_ predicate: FormatPredicate) -> Reference {
    switch predicate {
    case .constant(let isTrue): object(isTrue ? .truePredicate : .falsePredicate, [])
    case .not(let member): compound(ArchivedCode.compoundTypes.not, [member])
    case .and(let members): compound(ArchivedCode.compoundTypes.and, members)
    case .or(let members): compound(ArchivedCode.compoundTypes.or, members)
    case .comparison(let comparison):
      self.comparison(
        comparison.operator, expression(comparison.left), expression(comparison.right),
        modifier: comparison.modifier, options: comparison.options)
    }
  }

  private mutating func compound(_ type: Int64, _ members: [FormatPredicate]) -> Reference {
    let members = members.map { predicate($0) }
    return object(
      .compoundPredicate,
      [
        (ArchivedKey.compoundType, .integer(type)),
        (ArchivedKey.subpredicates, .object(collection(members))),
      ])
  }

  mutating func comparison(
    _ symbol: Comparison.Operator, _ left: Reference, _ right: Reference,
    modifier: Comparison.Modifier = .direct, options: Comparison.Options = []
  ) -> Reference {
    object(
      .comparisonPredicate,
      [
        (ArchivedKey.left, .object(left)), (ArchivedKey.right, .object(right)),
        (ArchivedKey.predicateOperator, .object(operation(symbol, modifier, options))),
      ])
  }

  /// Each class of operators has its own way to say more than the type does.
  private mutating func operation(
    _ symbol: Comparison.Operator, _ modifier: Comparison.Modifier, _ options: Comparison.Options
  ) -> Reference {
    let code = ArchivedCode.code(of: symbol)
    let values: [(key: String, value: Field)] = [
      (ArchivedKey.operatorType, .integer(code)),
      (ArchivedKey.modifier, .integer(ArchivedCode.code(of: modifier))),
    ]
    let optionValue = Field.integer(Int64(options.rawValue))
    switch symbol {
    case .equal, .notEqual:
      return object(
        .equalityOperator,
        values + [
          (ArchivedKey.isNegated, .boolean(symbol == .notEqual)),
          (ArchivedKey.options, optionValue),
        ])
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return object(
        .orderOperator,
        values + [(ArchivedKey.variant, .integer(code)), (ArchivedKey.options, optionValue)])
    case .in, .contains:
      return object(.membershipOperator, values + [(ArchivedKey.operatorFlags, optionValue)])
    case .between: return object(.betweenOperator, values)
    case .beginsWith, .endsWith:
      let position = Field.integer(symbol == .beginsWith ? 0 : 1)
      return object(
        .substringOperator,
        values + [(ArchivedKey.operatorFlags, optionValue), (ArchivedKey.position, position)])
    case .like: return object(.likeOperator, values + [(ArchivedKey.operatorFlags, optionValue)])
    case .matches:
      return object(.matchingOperator, values + [(ArchivedKey.operatorFlags, optionValue)])
    }
  }
}
