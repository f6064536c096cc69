/// The methods of a string that `FUNCTION(text, "selector", …)` can call, in memory and in SQL.
package enum TextMethod: String, CaseIterable, Sendable {
  case uppercase = "uppercaseString"
  case lowercase = "lowercaseString"
  case length
  case description
  case integerValue
  case intValue
  case doubleValue
  case appending = "stringByAppendingString:"
  case hasPrefix = "hasPrefix:"
  case hasSuffix = "hasSuffix:"
  case substringFrom = "substringFromIndex:"
  case substringTo = "substringToIndex:"

  package enum Argument: Sendable {
    case text, number
  }

  /// The type of the argument; nil for a method without one.
  package var argument: Argument? {
    switch self {
    case .appending, .hasPrefix, .hasSuffix: .text
    case .substringFrom, .substringTo: .number
    case .uppercase, .lowercase, .length, .description, .integerValue, .intValue, .doubleValue: nil
    }
  }

  /// Returns the result of the method. It is null if the argument is a position out of range.
  ///
  /// - Returns: the result, or nil if the method doesn't accept the argument.
  package func call(on text: String, _ argument: DataValue?) -> DataValue? {
    switch (self, argument) {
    case (.uppercase, nil): .string(text.uppercased())
    case (.lowercase, nil): .string(text.lowercased())
    case (.length, nil): .integer(Int64(text.utf16.count))
    case (.description, nil): .string(text)
    case (.integerValue, nil), (.intValue, nil): .integer(Number(leading: text).integer)
    case (.doubleValue, nil): .double(Number(leading: text).real)
    case (.appending, .string(let other)?): .string(text + other)
    case (.hasPrefix, .string(let part)?):
      .boolean(!part.isEmpty && text.utf8.starts(with: part.utf8))
    case (.hasSuffix, .string(let part)?):
      .boolean(!part.isEmpty && text.utf8.reversed().starts(with: part.utf8.reversed()))
    case (.substringFrom, let place?):
      place.number.map { (text.splitAtUnit($0.integer)?.behind).map(DataValue.string) ?? .null }
    case (.substringTo, let place?):
      place.number.map { (text.splitAtUnit($0.integer)?.before).map(DataValue.string) ?? .null }
    default: nil
    }
  }
}

extension String {
  /// Returns the parts before and after an offset in UTF-16 units, as in Foundation, or nil if the offset is out of
  /// range.
  fileprivate func splitAtUnit(_ offset: Int64) -> (before: String, behind: String)? {
    let units = Array(utf16)
    guard offset >= 0, offset <= units.count else { return nil }
    return (
      String(decoding: units[..<Int(offset)], as: UTF16.self),
      String(decoding: units[Int(offset)...], as: UTF16.self)
    )
  }
}
