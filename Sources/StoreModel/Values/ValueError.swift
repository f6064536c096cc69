package import StorePredicate

/// Why a value cannot be stored for a property.
package enum ValueError: Error, Hashable {
  case wrongType(AttributeType)
  /// A date that is not of the form that the input is said to have.
  case wrongDate(format: String)
  /// A number of the right kind that the type has no room for.
  case outOfRange(AttributeType)
  /// SQLite stores NaN as NULL.
  case notANumber
  /// Text for a relationship that is no object ID; an attribute by which a row of the destination may be described.
  case noObjectID(describedBy: String?)
  /// An ID of another store.
  case foreignStore(String)
  case wrongDestination(String, expected: [String])
  case missing
  case belowMinimum(Value)
  case aboveMaximum(Value)
  case tooShort(Int)
  case tooLong(Int)
  case noMatch(pattern: String)
  /// Whether the text matches takes too long to find out.
  case excessivePattern(TextMatcher.ExcessiveWork)
  /// An object or an array, which only `import` takes.
  case nested
}
