/// A statement as SQLite takes it. Only `SQL` makes its text.
package struct RenderedSQL: Hashable, Sendable {
  /// With `?1`, `?2` … for the values.
  package let text: String
  /// In the order of the text.
  package private(set) var values: [SQLiteValue]

  package init(_ sql: SQL) { (text, values) = sql.rendered() }

  /// The same statement with as many other values.
  package func binding(_ values: [SQLiteValue]) -> RenderedSQL {
    var other = self
    other.values = values
    return other
  }
}

extension SQL {
  /// The text with `?1`, `?2` … for the values, and the values in that order.
  package func rendered() -> (text: String, values: [SQLiteValue]) {
    var text = ""
    var values: [SQLiteValue] = []
    for segment in segments {
      switch segment {
      case .text(let piece): text += piece
      case .name(let name): text += Self.quoted(name)
      case .value(let value):
        values.append(value)
        text += "?\(values.count)"
      }
    }
    return (text, values)
  }

  /// The one place where a name becomes SQL: bare when it is a plain word, else in double quotes,
  /// the quotes in it doubled.
  package static func quoted(_ name: String) -> String {
    let isPlain =
      name.utf8.allSatisfy { byte in
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
      } && name.utf8.first.map { $0 >= UInt8(ascii: "A") } == true
    // Layout names begin with Z, so no SQL keyword is among the plain ones; aliases are ours.
    guard !isPlain else { return name }
    var result = "\"".unicodeScalars
    // Not by Character: a quote with a combining mark behind it would be another one.
    for scalar in name.unicodeScalars {
      if scalar == "\"" { result.append(scalar) }
      // SQLite reads statement text up to the first NUL.
      result.append(scalar == "\0" ? "\u{FFFD}" : scalar)
    }
    result.append("\"")
    return String(result)
  }
}
