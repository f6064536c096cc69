package import StorePredicate

/// Reads archived expressions and predicates of compiled models and mapping models.
///
/// In an archive, expressions can form cycles, and several expressions can contain the same part. The depth and the
/// number of nodes are limited, so that such an archive can't use unlimited time or memory.
package struct ArchivedExpressions {
  /// The maximum depth of an expression.
  package static let depthLimit = 64
  /// The maximum number of nodes in all expressions of an archive.
  static let nodeLimit = 100_000

  private var depth = 0
  private var nodes = 0

  package init() {}

  package mutating func expression(
    _ object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> FormatExpression {
    try enter(object)
    defer { depth -= 1 }
    let key = ArchivedKey.expressionType
    guard let code = try object.integer(key) else { throw object.fault(expected: "an expression") }
    guard let type = ArchivedCode.expressionTypes.meaning(of: code) else {
      throw object.unexpected(
        "an expression of class '\(try object.className ?? "")'",
        expected: "one of the predicate language")
    }
    return FormatExpression(try kind(of: object, type))
  }

  mutating func enter(_ object: KeyedArchive.Object) throws(KeyedArchiveError) {
    nodes += 1
    guard nodes <= Self.nodeLimit else { throw KeyedArchiveError(.entangled) }
    guard depth < Self.depthLimit else {
      throw KeyedArchiveError(.tooDeep(limit: Self.depthLimit), at: object.place)
    }
    depth += 1
  }

  private mutating func kind(
    of object: KeyedArchive.Object, _ type: ArchivedExpressionType
  ) throws(KeyedArchiveError) -> FormatExpression.Kind {
    switch type {
    case .constant: return try constant(object)
    case .selfObject: return .selfObject
    case .variable: return .variable(try object.requiredText(ArchivedKey.variable))
    case .keyPath, .function: return try call(object)
    case .keyPathSpecifier:
      return FormatExpression.path(try object.requiredText(ArchivedKey.keyPath)).kind
    case .aggregate: return .list(try expressions(ArchivedKey.collection, of: object))
    case .union: return try set(.union, object)
    case .intersection: return try set(.intersect, object)
    case .difference: return try set(.minus, object)
    case .subquery:
      return .subquery(
        collection: try expression(object.requiredObject(ArchivedKey.collection)),
        variable: try variableName(of: object),
        try predicate(object.requiredObject(ArchivedKey.predicate)))
    case .ternary:
      return .ternary(
        try predicate(object.requiredObject(ArchivedKey.predicate)),
        try expression(object.requiredObject(ArchivedKey.whenTrue)),
        try expression(object.requiredObject(ArchivedKey.whenFalse)))
    }
  }

  private mutating func set(
    _ word: SetOperator, _ object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> FormatExpression.Kind {
    .set(
      word, try expression(object.requiredObject(ArchivedKey.left)),
      try expression(object.requiredObject(ArchivedKey.right)))
  }

  /// Returns the name of a subquery's variable, which is archived as a text or as a variable expression.
  private func variableName(
    of object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> String {
    guard case .object(let variable) = try object.value(ArchivedKey.variable) else {
      return try object.requiredText(ArchivedKey.variable)
    }
    return try variable.requiredText(ArchivedKey.variable)
  }

  package mutating func expressions(
    _ key: String, of object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> [FormatExpression] {
    try object.objects(key, expected: "an expression").map { member throws(KeyedArchiveError) in
      try expression(member)
    }
  }

  // MARK: Constants

  private mutating func constant(
    _ object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> FormatExpression.Kind {
    let key = ArchivedKey.constant
    let archived = try object.value(key)
    if let value = try ArchivedValue.value(of: archived) { return .constant(value) }
    guard case .object(let list) = archived, list.isArray(try list.className) else {
      throw object.fault(archived, at: key, expected: "a constant")
    }
    var members: [FormatExpression] = []
    for member in try list.members {
      try enter(list)
      depth -= 1
      guard let value = try ArchivedValue.value(of: member) else {
        throw list.fault(member, at: "NS.objects", expected: "constants")
      }
      members.append(.value(value))
    }
    return .list(members)
  }

  // MARK: Calls

  /// Reads a call of `valueForKeyPath:` or `valueForKey:`, which represents a key path, of a built-in function, or of
  /// another method.
  private mutating func call(
    _ object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> FormatExpression.Kind {
    let selector = try object.requiredText(ArchivedKey.selector)
    if selector == BuiltIn.element.selector { return try element(object) }
    let arguments = try expressions(ArchivedKey.arguments, of: object)
    if selector == "valueForKeyPath:" || selector == "valueForKey:" {
      let base = try expression(object.requiredObject(ArchivedKey.operand))
      guard arguments.count == 1, case .keyPath(_, let steps) = arguments[0].kind else {
        throw object.fault(expected: "a call with a key path")
      }
      return .keyPath(base: base, steps)
    }
    let operand = try object.object(ArchivedKey.operand)
    // The operand of a built-in function is missing or is the name of a class.
    let isBuiltIn = try operand?.has(ArchivedKey.constantClassName) ?? true
    if let kind = Self.call(BuiltIn(selector: selector), arguments) { return kind }
    guard !isBuiltIn, let operand else {
      throw object.unexpected(
        "'\(selector)'", at: ArchivedKey.selector, expected: "a function of the predicate language")
    }
    return .method(receiver: try expression(operand), selector: selector, arguments: arguments)
  }

  /// Returns the call of a built-in function, or nil if the function is unknown or the arguments are wrong.
  private static func call(
    _ builtIn: BuiltIn?, _ arguments: [FormatExpression]
  ) -> FormatExpression.Kind? {
    switch (builtIn, arguments.first?.kind, arguments.count) {
    case (.arithmetic(let symbol), _, 2): return .arithmetic(symbol, arguments[0], arguments[1])
    case (.cast, _, 2):
      guard case .constant(.string(let name)) = arguments[1].kind else { return nil }
      return CastType(rawValue: name).map { .cast(arguments[0], to: $0) }
    // `pages.@count` is archived as a call: `count:(pages)`.
    case (.function(.count), .keyPath(let base, let steps), 1):
      return .keyPath(base: base, steps + [KeyPathStep(.collection(.count))])
    case (.function(let function), _, _): return .function(function, arguments)
    case (.arithmetic, _, _), (.cast, _, _), (.element, _, _), (nil, _, _): return nil
    }
  }

  /// Reads an element of a collection, such as `a[FIRST]` or `a[2]`, or its size `a[SIZE]`.
  private mutating func element(
    _ object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> FormatExpression.Kind {
    let arguments = try object.objects(ArchivedKey.arguments, expected: "an expression")
    guard arguments.count == 2 else { throw object.fault(expected: "a collection and an index") }
    let collection = try expression(arguments[0])
    guard try arguments[1].integer(ArchivedKey.expressionType) == ArchivedCode.symbolicExpression
    else {
      return .element(collection, .at(try expression(arguments[1])))
    }
    switch try arguments[1].requiredText(ArchivedKey.symbol) {
    case "FIRST": return .element(collection, .first)
    case "LAST": return .element(collection, .last)
    case "SIZE": return .element(collection, .size)
    default: throw arguments[1].fault(expected: "FIRST, LAST or SIZE")
    }
  }
}

extension FormatExpression {
  /// Parses a key path that begins at the row.
  package static func path(_ text: String) -> FormatExpression {
    let steps = text.split(separator: ".").map { part -> KeyPathStep in
      CollectionOperator(rawValue: String(part)).map { KeyPathStep(.collection($0)) }
        ?? KeyPathStep(.key(String(part)))
    }
    return FormatExpression(.keyPath(base: FormatExpression(.selfObject), steps))
  }
}

extension ArchivedExpressions {
  package mutating func predicate(
    _ object: KeyedArchive.Object
  ) throws(KeyedArchiveError) -> FormatPredicate {
    try enter(object)
    defer { depth -= 1 }
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
    let members = try object.objects(ArchivedKey.subpredicates, expected: "a predicate")
      .map { member throws(KeyedArchiveError) in try predicate(member) }
    switch try object.integer(key) {
    case ArchivedCode.compoundTypes.not where members.count == 1: return .not(members[0])
    case ArchivedCode.compoundTypes.and?: return Self.joined(members, isAnd: true)
    case ArchivedCode.compoundTypes.or?: return Self.joined(members, isAnd: false)
    default: throw object.fault(expected: "a compound of NOT, AND or OR")
    }
  }

  /// Returns the compound that the predicate parser would create: a compound with the same operator is replaced by its
  /// members, a single member is returned without a compound, and an empty compound becomes a constant.
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
  ) throws(KeyedArchiveError) -> FormatComparison {
    let operation = try object.requiredObject(ArchivedKey.predicateOperator)
    guard let code = try operation.integer(ArchivedKey.operatorType),
      var kind = ArchivedCode.operators.meaning(of: code)
    else { throw operation.fault(expected: "an operator of the predicate language") }
    if kind == .equal, try operation.flag(ArchivedKey.isNegated) { kind = .notEqual }
    // The options of comparisons and of text operators have different keys.
    let inOptions = try operation.integer(ArchivedKey.options) ?? 0
    let inFlags = try operation.integer(ArchivedKey.operatorFlags) ?? 0
    let bits = UInt8(truncatingIfNeeded: inOptions | inFlags) & 0x0F
    let modifier = try operation.meaning(
      ArchivedKey.modifier, among: ArchivedCode.modifiers, expected: "the number of a modifier")
    return FormatComparison(
      try expression(object.requiredObject(ArchivedKey.left)), kind,
      try expression(object.requiredObject(ArchivedKey.right)), modifier: modifier,
      options: FormatComparison.Options(rawValue: bits))
  }
}
