/// The type of an attribute's values.
public enum AttributeType: Hashable, Sendable {
  /// No type is written: legal for transient attributes, a leftover elsewhere.
  case undefined
  case integer16
  case integer32
  case integer64
  case decimal
  case double
  case float
  case string
  case boolean
  case date
  case binary
  case uuid
  case uri
  case transformable
  case objectID
  /// Stands for the attributes of the named composite.
  case composite(String)

  /// The simple types by the name that model XML gives them.
  public static let named: [(name: String, type: AttributeType)] = [
    ("Undefined", .undefined), ("Integer 16", .integer16), ("Integer 32", .integer32),
    ("Integer 64", .integer64), ("Decimal", .decimal), ("Double", .double), ("Float", .float),
    ("String", .string), ("Boolean", .boolean), ("Date", .date), ("Binary", .binary),
    ("UUID", .uuid), ("URI", .uri), ("Transformable", .transformable), ("ObjectID", .objectID),
  ]

  /// The name in model XML.
  public var name: String {
    if case .composite = self { return "Composite" }
    return Self.named.first { $0.type == self }?.name ?? "Undefined"
  }
}
