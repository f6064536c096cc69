package import StoreDiagnostics
package import StorePredicate

/// A reason why a value can't be stored in a property.
package enum ValueError: Error, Hashable {
  case wrongType(AttributeType)
  /// A text isn't a date in the format that was specified for the input.
  case wrongDate(format: String)
  /// A number is out of the range of the type.
  case outOfRange(AttributeType)
  /// The number is NaN, which SQLite would store as NULL.
  case notANumber
  /// A text for a relationship isn't an object ID. `describedBy` is an attribute that usually identifies rows of the
  /// destination.
  ///
  /// - Parameter entity: the destination entity, for the example in the message.
  case noObjectID(describedBy: String?, entity: String? = nil)
  /// An object ID belongs to another store.
  case foreignStore(String)
  case wrongDestination(String, expected: [String])
  case missing
  case belowMinimum(DataValue)
  case aboveMaximum(DataValue)
  case tooShort(Int)
  case tooLong(Int)
  case noMatch(pattern: String)
  /// The regular expression takes too long.
  case excessivePattern(TextMatcher.ExcessiveWork)
  /// The value is an object or an array, which only `import` supports.
  case nested

  package var code: String {
    switch self {
    case .wrongType, .wrongDate, .notANumber, .noObjectID, .nested: "value.wrong-type"
    case .outOfRange: "value.out-of-range"
    case .foreignStore, .wrongDestination: "value.wrong-object"
    case .missing: "value.missing"
    case .belowMinimum, .aboveMaximum, .tooShort, .tooLong, .noMatch, .excessivePattern:
      "value.invalid"
    }
  }

  package func message(property: String, shown: String) -> String {
    switch self {
    case .wrongType(let type): "'\(property)' takes \(type.article), not '\(shown)'"
    case .wrongDate(let format):
      "'\(property)' takes a date in the format \(format), not '\(shown)'"
    case .outOfRange(let type):
      "'\(shown)' is out of range for '\(property)': it must be \(type.range)"
    case .notANumber: "'\(property)' can't be NaN: SQLite stores it as NULL"
    case .noObjectID: "'\(property)' takes an object ID, not '\(shown)'"
    case .foreignStore(let store): "'\(shown)' is a row of another store, \(store)"
    case .wrongDestination(let entity, let expected):
      "'\(property)' refers to \(expected.joined(separator: " or ")), not to \(entity)"
    case .missing: "'\(property)' requires a value"
    case .belowMinimum(let minimum):
      "'\(property)' is \(shown), but must \(minimum.isDate ? "not be before" : "be at least") \(minimum.shown)"
    case .aboveMaximum(let maximum):
      "'\(property)' is \(shown), but must \(maximum.isDate ? "not be after" : "be at most") \(maximum.shown)"
    case .tooShort(let least) where shown.isEmpty:
      "'\(property)' is empty, but requires at least \(least) \("character".plural(least))"
    case .tooShort(let least): "'\(property)' has fewer than \(least) characters: '\(shown)'"
    case .tooLong(let most): "'\(property)' has more than \(most) characters: '\(shown)'"
    case .noMatch(let pattern): "'\(property)' doesn't match \(pattern): '\(shown)'"
    case .excessivePattern(let work): "'\(property)' is '\(shown)': \(work.message)"
    case .nested: "'\(property)' is \(shown), but a flat record can contain only single values"
    }
  }

  package var help: [DiagnosticRemedy] {
    switch self {
    case .wrongType(.date): ["write dates as in 2024-05-06T07:08:09Z"]
    case .wrongType(.binary), .wrongType(.transformable): ["write binary data in base64"]
    case .noObjectID(nil, let entity):
      [.text("write object IDs as in x-coredata:///\(entity ?? "Item")/p7")]
    case .noObjectID(_, let entity):
      [.text("or by its object ID, as in x-coredata:///\(entity ?? "Item")/p7")]
    case .excessivePattern: [.text(TextMatcher.ExcessiveWork.help)]
    case .nested: [.importing(.importInstead(.nestedRecords))]
    case .wrongType, .wrongDate, .outOfRange, .notANumber, .foreignStore, .wrongDestination,
      .missing,
      .belowMinimum, .aboveMaximum, .tooShort, .tooLong, .noMatch:
      []
    }
  }
}

extension AttributeType {
  fileprivate var range: String {
    switch self {
    case .double: "a finite number"
    case .decimal: "a number from about -1.8e308 to 1.8e308"
    case .float: "a finite 32-bit number"
    default: article
    }
  }

  fileprivate var article: String {
    switch self {
    case .integer16: "a whole number from -32768 to 32767"
    case .integer32: "a whole number from -2147483648 to 2147483647"
    case .integer64: "a 64-bit whole number"
    case .decimal: "a decimal number"
    case .double: "a number"
    case .float: "a 32-bit number"
    case .string: "text"
    case .boolean: "true or false"
    case .date: "an ISO 8601 date"
    case .binary, .transformable: "binary data in base64"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .objectID: "an object ID"
    case .undefined, .composite: "a value"
    }
  }
}

extension DataValue {
  fileprivate var isDate: Bool {
    if case .date = self { true } else { false }
  }

  /// The text of the value for messages.
  package var shown: String {
    switch self {
    case .boolean(let value): "\(value)"
    case .double(let value): "\(value)"
    case .date(let seconds): text ?? "\(seconds)"
    case .binary(let bytes): "\(bytes.count) bytes"
    case .null, .integer, .string, .uuid, .objectID: text ?? "null"
    }
  }
}
