package import RecordFormats

extension JSONValue {
  /// What stands at a path of keys; nil where a step is missing or is not an object.
  package func value(at path: [String]) -> JSONValue? {
    var value = self
    for key in path {
      guard let next = value[key] else { return nil }
      value = next
    }
    return value
  }

  package var isNull: Bool { content == .null }

  /// For messages: "an array".
  package var kindName: String {
    switch content {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .boolean: "a boolean"
    case .null: "null"
    }
  }
}
