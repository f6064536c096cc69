extension SQL {
  /// The statement as one text with its values written out, for `CREATE` statements, which take no
  /// parameters, and for showing a statement to the user.
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
  /// As SQL source: quotes doubled, a NUL, at which SQLite would stop reading, spelled as `char(0)`.
  package var literal: String {
    switch self {
    case .null: return "NULL"
    case .integer(.min): return "(-9223372036854775807 - 1)"
    case .integer(let number): return "\(number)"
    case .real(let number) where number.isNaN: return "NULL"
    case .real(let number) where number.isInfinite: return number < 0 ? "-9e999" : "9e999"
    case .real(let number): return "\(number)"
    case .blob(let bytes): return "x'\(Self.hexadecimal(bytes))'"
    case .text(let text):
      // Not by Character: a quote with a combining mark behind it would be another one.
      let scalars = text.unicodeScalars
      let pieces = scalars.split(separator: "\0", omittingEmptySubsequences: false).map(Self.quoted)
      return pieces.count == 1 ? pieces[0] : "(\(pieces.joined(separator: " || char(0) || ")))"
    }
  }

  private static func quoted(_ text: Substring.UnicodeScalarView) -> String {
    var result = "'".unicodeScalars
    for scalar in text {
      if scalar == "'" { result.append(scalar) }
      result.append(scalar)
    }
    result.append("'")
    return String(result)
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count * 2)
    for byte in bytes { result += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: result, as: UTF8.self)
  }
}
