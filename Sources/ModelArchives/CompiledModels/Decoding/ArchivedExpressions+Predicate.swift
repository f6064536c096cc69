package import StorePredicate

extension ArchivedExpressions {
  package mutating func predicate(
    _ object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> FormatPredicate {
    try enter(object)
    defer { leave() }
    switch try object.className {
    case "NSTruePredicate": return .constant(true)
    case "NSFalsePredicate": return .constant(false)
    case "NSCompoundPredicate": return try compound(object)
    case "NSComparisonPredicate": return .comparison(try comparison(object))
    default: throw object.fault(expected: "a predicate")
    }
  }

  private mutating func compound(
    _ object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> FormatPredicate {
    let key = ArchivedKey.compoundType
    var members: [FormatPredicate] = []
    for member in try object.objects(ArchivedKey.subpredicates, expected: "a predicate") {
      members.append(try predicate(member))
    }
    switch try object.integer(key) {
    case ArchivedCode.compoundTypes.not where members.count == 1: return .not(members[0])
    case ArchivedCode.compoundTypes.and?: return Self.joined(members, isAnd: true)
    case ArchivedCode.compoundTypes.or?: return Self.joined(members, isAnd: false)
    default: throw object.fault(expected: "a compound of NOT, AND or OR")
    }
  }

  /// As the parser makes it: two members or more, none of them of the same kind.
  private static func joined(_ members: [FormatPredicate], isAnd: Bool) -> FormatPredicate {
    let flat = members.flatMap { member -> [FormatPredicate] in
      switch (member, isAnd) {
      case (.and(let inner), true), (.or(let inner), false): inner
      default: [member]
      }
    }
    guard flat.count != 1 else { return flat[0] }
    guard !flat.isEmpty else { return .constant(isAnd) }
    return isAnd ? .and(flat) : .or(flat)
  }

  private mutating func comparison(
    _ object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> Comparison {
    let operation = try object.requiredObject(ArchivedKey.predicateOperator)
    let (kind, options) = try comparing(operation)
    let code = try operation.integer(ArchivedKey.modifier) ?? 0
    guard let modifier = ArchivedCode.modifiers.first(where: { $0.code == code })?.modifier else {
      throw KeyedArchiveError(
        .unexpected("\(code)"), at: operation.place(of: ArchivedKey.modifier),
        expected: "the number of a modifier")
    }
    return Comparison(
      try expression(object.requiredObject(ArchivedKey.left)), kind,
      try expression(object.requiredObject(ArchivedKey.right)), modifier: modifier,
      options: options)
  }

  private func comparing(
    _ object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> (Comparison.Operator, Comparison.Options) {
    let key = ArchivedKey.operatorType
    guard let code = try object.integer(key),
      var kind = ArchivedCode.operators.first(where: { $0.code == code })?.operator
    else { throw object.fault(expected: "an operator of the predicate language") }
    if kind == .equal, try object.flag(ArchivedKey.isNegated) { kind = .notEqual }
    // Comparisons keep their options under one name, operators on texts under another.
    let inOptions = try object.integer(ArchivedKey.options) ?? 0
    let inFlags = try object.integer(ArchivedKey.operatorFlags) ?? 0
    let bits = UInt8(truncatingIfNeeded: inOptions | inFlags) & 0x0F
    return (kind, Comparison.Options(rawValue: bits))
  }
}
