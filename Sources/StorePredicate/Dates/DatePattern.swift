/// A date format of an input: a subset of Unicode's date patterns, or seconds or milliseconds since 1970.
///
///     try DatePattern("M/d/yyyy H:mm").seconds("5/6/2024 7:08")      // 736671600 + 480
///     try DatePattern("UnixTime").seconds("1700000000")
///
/// Letters: `y` or `u` year (`yy` 1950 to 2049), `M` or `L` month (`MMM`, `MMMM` its English name), `d` day, `E`
/// English weekday, `H` `k` `h` `K` hour, `a` AM or PM, `m` minute, `s` second, `S` fraction, `Z` `X` `x` `z` offset
/// from UTC. Text in `'quotes'` and characters that aren't letters are literal.
package struct DatePattern: Hashable, Sendable {
  package let text: String
  let kind: Kind

  enum Kind: Hashable, Sendable {
    case fields([Field])
    /// A number of units since 1970. `perSecond` is the number of units in a second.
    case epoch(perSecond: Int64)
  }

  enum Field: Hashable, Sendable {
    case literal([UInt8])
    case number(Part, digits: ClosedRange<Int>)
    case monthName, weekday, dayPeriod, fraction, zone
  }

  /// The meaning of a number in the text.
  enum Part: Hashable, Sendable {
    case year, shortYear, month, day
    /// The hour, from 0 to 23, from 1 to 24, from 0 to 11 or from 1 to 12.
    case hour, hourFrom1, hourOfHalf, hourOfHalfFrom1
    case minute, second
  }

  private static let epochs: [String: Int64] = ["UnixTime": 1, "UnixTimeMilliseconds": 1_000]

  package static let unixTimeMilliseconds = DatePattern(
    text: "UnixTimeMilliseconds", kind: .epoch(perSecond: 1_000))

  private init(text: String, kind: Kind) {
    self.text = text
    self.kind = kind
  }

  /// Whether the dates are numbers of seconds since 1970.
  package var isUnixTime: Bool { kind == .epoch(perSecond: 1) }

  /// Creates a pattern from its text.
  ///
  /// - Throws: `DatePatternError` for the first invalid or unsupported part.
  package init(_ text: String) throws(DatePatternError) {
    self.text = text
    if let perSecond = Self.epochs[text] {
      kind = .epoch(perSecond: perSecond)
      return
    }
    var parser = DatePatternParser(text)
    kind = .fields(try parser.fields())
  }
}

/// An invalid or unsupported part of a date pattern.
package struct DatePatternError: Error, Hashable {
  package enum Issue: Hashable, Sendable {
    case empty
    case unknownLetter(String)
    case unclosedQuote
    /// A part of the date that the pattern contains twice.
    case repeated(String)
  }

  package var problem: Issue
  package var text: String
  /// UTF-8 offsets in `text`.
  package var range: Range<Int>
}

/// Splits a pattern into runs of one letter, quoted text and other characters.
private struct DatePatternParser {
  private let text: String
  private let bytes: [UInt8]
  private var position = 0
  private var seen: Set<DatePattern.Field> = []

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  mutating func fields() throws(DatePatternError) -> [DatePattern.Field] {
    var runs: [(field: DatePattern.Field, count: Int)] = []
    while position < bytes.count {
      let start = position
      let byte = bytes[position]
      if byte == UInt8(ascii: "'") {
        runs.append((.literal(try quoted()), 0))
      } else if Self.isLetter(byte) {
        while position < bytes.count, bytes[position] == byte { position += 1 }
        let run = start..<position
        let field = try field(of: byte, run)
        guard seen.insert(Self.identity(of: field)).inserted else {
          throw error(.repeated(String(decoding: bytes[run], as: UTF8.self)), run)
        }
        runs.append((field, run.count))
      } else {
        position += 1
        runs.append((.literal([byte]), 0))
      }
    }
    guard !seen.isEmpty else { throw error(.empty, 0..<bytes.count) }
    return runs.indices.map { index in
      let next = index + 1 < runs.count ? runs[index + 1].field : nil
      return Self.field(runs[index].field, of: runs[index].count, before: next)
    }
  }

  /// Returns the field with its number of digits. If the next field is a number or a fraction, as in `yyyyMMdd`, this
  /// field has exactly as many digits as letters.
  ///
  /// - Parameter count: the number of letters in the pattern.
  private static func field(
    _ field: DatePattern.Field, of count: Int, before next: DatePattern.Field?
  ) -> DatePattern.Field {
    guard case .number(let part, let digits) = field else { return field }
    switch next {
    case .number?, .fraction?: return .number(part, digits: count...count)
    case nil, .literal?, .monthName?, .weekday?, .dayPeriod?, .zone?:
      return .number(part, digits: digits)
    }
  }

  private func field(of letter: UInt8, _ run: Range<Int>) throws(DatePatternError)
    -> DatePattern.Field
  {
    switch UnicodeScalar(letter) {
    case "y", "u":
      return run.count == 2 && letter == UInt8(ascii: "y")
        ? .number(.shortYear, digits: 2...2) : .number(.year, digits: 1...9)
    case "M", "L": return run.count > 2 ? .monthName : .number(.month, digits: 1...2)
    case "d": return .number(.day, digits: 1...2)
    case "H": return .number(.hour, digits: 1...2)
    case "k": return .number(.hourFrom1, digits: 1...2)
    case "K": return .number(.hourOfHalf, digits: 1...2)
    case "h": return .number(.hourOfHalfFrom1, digits: 1...2)
    case "m": return .number(.minute, digits: 1...2)
    case "s": return .number(.second, digits: 1...2)
    case "S": return .fraction
    case "a": return .dayPeriod
    case "E": return .weekday
    case "Z", "X", "x", "z": return .zone
    default:
      throw error(.unknownLetter(String(decoding: bytes[run.prefix(1)], as: UTF8.self)), run)
    }
  }

  /// Returns the same field for all forms of a part of the date, such as the four forms of an hour. A pattern can
  /// contain each part only once.
  private static func identity(of field: DatePattern.Field) -> DatePattern.Field {
    switch field {
    case .number(.shortYear, _): .number(.year, digits: 1...1)
    case .number(.hourFrom1, _), .number(.hourOfHalf, _), .number(.hourOfHalfFrom1, _):
      .number(.hour, digits: 1...1)
    case .number(let part, _): .number(part, digits: 1...1)
    case .monthName: .number(.month, digits: 1...1)
    case .literal, .weekday, .dayPeriod, .fraction, .zone: field
    }
  }

  /// Reads quoted text, such as `'T'`. A doubled quote, inside or outside of quotes, is a literal quote.
  private mutating func quoted() throws(DatePatternError) -> [UInt8] {
    let start = position
    let quote = UInt8(ascii: "'")
    var inside: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      guard byte == quote else {
        inside.append(byte)
        continue
      }
      guard position < bytes.count, bytes[position] == quote, position - start > 1 else {
        return inside.isEmpty ? [quote] : inside
      }
      inside.append(quote)
      position += 1
    }
    throw error(.unclosedQuote, start..<bytes.count)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private func error(
    _ problem: DatePatternError.Issue, _ range: Range<Int>
  ) -> DatePatternError {
    DatePatternError(problem: problem, text: text, range: range)
  }
}
