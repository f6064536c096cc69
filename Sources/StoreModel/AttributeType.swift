/// The type of an attribute's values.
public enum AttributeType: Hashable, Sendable {
  /// The type isn't specified. Usually, only transient attributes have this type.
  case undefined
  /// A signed integer of 16 bits.
  case integer16
  /// A signed integer of 32 bits.
  case integer32
  /// A signed integer of 64 bits.
  case integer64
  /// A decimal number.
  case decimal
  /// A floating-point number of 64 bits.
  case double
  /// A floating-point number of 32 bits.
  case float
  /// Text.
  case string
  /// True or false.
  case boolean
  /// A point in time.
  case date
  /// A sequence of bytes.
  case binary
  /// A UUID.
  case uuid
  /// A URI.
  case uri
  /// An object that a transformer converts to bytes.
  case transformable
  /// The ID of an object.
  case objectID
  /// A group of attributes. The associated value is the name of the `CompositeDescription` that defines the group.
  case composite(String)

  /// All types except composites, with their names in the model XML.
  public static let named: [(name: String, type: AttributeType)] = [
    ("Undefined", .undefined), ("Integer 16", .integer16), ("Integer 32", .integer32),
    ("Integer 64", .integer64), ("Decimal", .decimal), ("Double", .double), ("Float", .float),
    ("String", .string), ("Boolean", .boolean), ("Date", .date), ("Binary", .binary),
    ("UUID", .uuid), ("URI", .uri), ("Transformable", .transformable), ("ObjectID", .objectID),
  ]

  /// The name of the type in the model XML.
  public var name: String {
    if case .composite = self { return "Composite" }
    return Self.named.first { $0.type == self }?.name ?? "Undefined"
  }
}
