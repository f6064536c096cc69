import StoreDiagnostics

/// A piece of SQL as a value: literal text, quoted names and bound values.
///
///     let delete: SQL = "DELETE FROM \(name: table) WHERE \(name: column) = \(value: .integer(1))"
///
/// A plain string can't be interpolated, so that a user's text doesn't become SQL by accident.
package struct SQL: Hashable, Sendable {
  package enum Segment: Hashable, Sendable {
    case text(String)
    case name(String)
    case value(SQLiteValue)
  }

  package private(set) var segments: [Segment]

  package init(segments: [Segment] = []) {
    self.segments = segments
  }

  /// Returns the name of a table or column, which is quoted in the output if necessary.
  package static func name(_ name: String) -> SQL { SQL(segments: [.name(name)]) }

  /// Returns `alias.column`.
  package static func name(_ alias: String, _ column: String) -> SQL {
    SQL(segments: [.name(alias), .text("."), .name(column)])
  }

  package static func value(_ value: SQLiteValue) -> SQL { SQL(segments: [.value(value)]) }

  package static func integer(_ number: Int64) -> SQL { .value(.integer(number)) }

  /// Returns a list for IN, such as `(1, 2)`.
  package static func list(_ numbers: some Sequence<Int64>) -> SQL {
    "(\(numbers.map(SQL.integer).joined(", ")))"
  }

  package var isEmpty: Bool { segments.isEmpty }

  package static func + (left: SQL, right: SQL) -> SQL {
    SQL(segments: left.segments + right.segments)
  }

  package static func += (left: inout SQL, right: SQL) {
    left.segments += right.segments
  }
}

extension SQL: ExpressibleByStringInterpolation {
  package struct StringInterpolation: StringInterpolationProtocol {
    package var segments: [Segment] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      segments.reserveCapacity(interpolationCount * 2 + 1)
    }

    package mutating func appendLiteral(_ literal: StaticString) {
      guard literal.utf8CodeUnitCount > 0 else { return }
      segments.append(.text(literal.description))
    }

    package mutating func appendInterpolation(_ sql: SQL) {
      segments += sql.segments
    }

    package mutating func appendInterpolation(name: String) {
      segments.append(.name(name))
    }

    package mutating func appendInterpolation(value: SQLiteValue) {
      segments.append(.value(value))
    }
  }

  package init(stringLiteral literal: StaticString) {
    self.init(segments: literal.utf8CodeUnitCount == 0 ? [] : [.text(literal.description)])
  }

  package init(stringInterpolation: StringInterpolation) {
    self.init(segments: stringInterpolation.segments)
  }
}

extension Sequence<SQL> {
  /// Joins the pieces with `separator`.
  package func joined(_ separator: SQL) -> SQL {
    var result = SQL()
    for (index, piece) in enumerated() {
      if index > 0 { result += separator }
      result += piece
    }
    return result
  }
}

extension SQL {
  /// The statement with some reals as products or quotients of a whole number and powers of two. SQLite would read some
  /// literals with more than 15 digits, or of an extreme magnitude, with a wrong last bit.
  ///
  ///     0.30000000000000004 → (CAST(5404319552844596 AS REAL) / 18014398509481984.0)
  package var withExactFractions: SQL {
    // CREATE and ALTER remain unchanged, because they don't accept such expressions everywhere.
    guard let word = tokens.first(where: { $0.kind != .blank }),
      !word.isWord("CREATE"), !word.isWord("ALTER")
    else { return self }
    return SQL(
      segments: segments.flatMap { segment -> [Segment] in
        guard case .value(.real(let number)) = segment, number.losesDigits else { return [segment] }
        return number.product.segments
      })
  }
}

extension Double {
  fileprivate var losesDigits: Bool {
    guard isFinite, self != 0, self != .greatestFiniteMagnitude else { return false }
    let digits = description.prefix { $0 != "e" }.count { $0.isNumber }
    return digits > 15 || !(1e-22...1e22).contains(magnitude)
  }

  /// The number as its 53-bit significand, multiplied or divided by powers of two. SQLite computes this exactly.
  fileprivate var product: SQL {
    let bits = Int64(significand * 0x1p52) * (sign == .minus ? -1 : 1)
    let exponent = Int(self.exponent) - 52
    let (count, rest) = exponent.magnitude.quotientAndRemainder(dividingBy: 52)
    let powers = Array(repeating: 0x1p52, count: Int(count)) + [Double(UInt64(1) << rest)]
    var product: SQL = "(CAST(\(value: .integer(bits)) AS REAL)"
    for power in powers where power != 1 {
      product += exponent < 0 ? " / " : " * "
      product += SQL.value(.real(power))
    }
    return product + ")"
  }
}

extension SQL {
  /// The text of the statement with its values as literals. It is used for display, and for statements that can't have
  /// parameters, such as `CREATE`.
  package var literalText: String {
    segments.map { segment in
      switch segment {
      case .text(let text): text
      case .name(let name): Self.quoted(name)
      case .value(let value): value.literal
      }
    }.joined()
  }
}

extension SQLiteValue {
  /// The value as an SQL literal. Quotes are doubled. A NUL becomes `char(0)`, because SQLite would stop reading at it.
  package var literal: String {
    switch self {
    case .null: return "NULL"
    case .integer(.min): return "(-9223372036854775807 - 1)"
    case .integer(let number): return "\(number)"
    case .real(let number) where number.isNaN: return "NULL"
    case .real(let number) where number.isInfinite: return number < 0 ? "-9e999" : "9e999"
    case .real(let number): return "\(number)"
    case .blob(let bytes): return "x'\(bytes.hexadecimal)'"
    case .text(let text):
      let scalars = text.unicodeScalars
      let pieces = scalars.split(separator: "\0", omittingEmptySubsequences: false)
        .map { $0.quoted(by: "'") }
      return pieces.count == 1 ? pieces[0] : "(\(pieces.joined(separator: " || char(0) || ")))"
    }
  }
}

/// The text of a statement with parameters, and their values. It can be created only from `SQL`.
package struct RenderedSQL: Hashable, Sendable {
  /// The text with the parameters `?1`, `?2` and so on.
  package let text: String
  /// The values of the parameters, in the order of their numbers.
  package private(set) var values: [SQLiteValue]

  package init(_ sql: SQL) { (text, values) = sql.rendered() }

  /// Returns the statement with other values, whose number must be the same.
  package func binding(_ values: [SQLiteValue]) -> RenderedSQL {
    var other = self
    other.values = values
    return other
  }
}

extension SQL {
  /// Returns the text with the parameters `?1`, `?2` and so on, and the values in that order.
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

  /// Returns a name as SQL. A name of ASCII letters, digits and underscores isn't quoted, unless it begins with a
  /// digit. Other names are enclosed in double quotes, and quotes in them are doubled.
  package static func quoted(_ name: String) -> String {
    let isPlain =
      name.utf8.allSatisfy { byte in
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
      } && name.utf8.first.map { $0 >= UInt8(ascii: "A") } == true
    // Keywords aren't checked, because Core Data's tables and columns and storetool's aliases never have such names.
    guard !isPlain else { return name }
    // SQLite reads a statement up to the first NUL.
    return name.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }.quoted(by: "\"")
  }
}

extension Sequence<Unicode.Scalar> {
  /// Returns the text in quotes. Quotes in the text are doubled. They are compared as scalars, because a quote with a
  /// combining mark is a different Character.
  fileprivate func quoted(by quote: Unicode.Scalar) -> String {
    var result = String.UnicodeScalarView([quote])
    for scalar in self {
      if scalar == quote { result.append(scalar) }
      result.append(scalar)
    }
    result.append(quote)
    return String(result)
  }
}
