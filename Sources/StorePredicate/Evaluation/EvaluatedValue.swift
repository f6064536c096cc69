/// What an expression is in memory: a plain value, an object, or many of them.
public enum EvaluatedValue: Sendable {
  case value(Value)
  case object(any PredicateObject)
  /// Members in an order: an ordered to-many, a list.
  case list([EvaluatedValue])
  /// Members in no order: a to-many, the result of UNION.
  case set([EvaluatedValue])
  /// A key that it does not have is nothing, not an error.
  case dictionary([String: EvaluatedValue])

  public static let null = EvaluatedValue.value(.null)

  public var isNull: Bool {
    if case .value(.null) = self { true } else { false }
  }

  /// The members of a collection, the values of a dictionary; nil for what is neither.
  public var members: [EvaluatedValue]? {
    switch self {
    case .list(let members), .set(let members): members
    case .dictionary(let values): Array(values.values)
    case .value, .object: nil
    }
  }

  /// What it is, for a message: "text", "an object".
  var noun: String {
    switch self {
    case .value(let value): value.kind?.rawValue ?? "nothing"
    case .object: "an object"
    case .list, .set: "a collection"
    case .dictionary: "a dictionary"
    }
  }
}

extension EvaluatedValue {
  /// A collection of the same sort with other members.
  func replacingMembers(_ members: [EvaluatedValue]) -> EvaluatedValue {
    if case .list = self { .list(members) } else { .set(members) }
  }
}
