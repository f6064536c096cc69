package import StoreDiagnostics
import StoreLayout
import StoreModel
package import StorePredicate

/// The date formats of the input: an attribute's format in the model's user info, otherwise the caller's format,
/// otherwise ISO 8601.
struct DateFormats {
  /// The key of the date format in an attribute's user info.
  private static let userInfoKey = "dateFormat"

  let model: DataModel
  let general: DatePattern?

  /// Returns the date formats of an entity, by the attribute's name. Attributes that aren't in the dictionary use ISO
  /// 8601.
  ///
  /// - Throws: `DateFormatError` for an invalid format in the model.
  func formats(of entity: EntityDescription) throws(DateFormatError) -> [String: DateForm] {
    var found: [String: DateForm] = [:]
    for attribute in model.storedAttributes(of: entity) where attribute.type == .date {
      guard let own = attribute.userInfo[Self.userInfoKey] else {
        found[attribute.name] = general.map { DateForm(pattern: $0) }
        continue
      }
      do throws(DatePatternError) {
        let pattern = try DatePattern(own)
        found[attribute.name] = DateForm(pattern: pattern, isOfEitherUnit: pattern.isUnixTime)
      } catch let error {
        throw DateFormatError(error, in: .attribute("\(entity.name).\(attribute.name)"))
      }
    }
    return found
  }
}

/// An invalid date format.
package struct DateFormatError: DiagnosableError, Hashable {
  private let error: DatePatternError
  private let cause: DiagnosticMessage.Cause
  private let note: String

  /// The source of the format.
  package enum Origin: Hashable, Sendable {
    /// The user info of an attribute.
    case attribute(String)
    /// An argument of the caller, with the argument's name.
    case argument(String)
  }

  package init(_ error: DatePatternError, in origin: Origin) {
    self.error = error
    (cause, note) =
      switch origin {
      case .attribute(let name): (.invalid, "in the dateFormat (userInfo) of '\(name)'")
      case .argument(let name): (.usage, "in \(name)")
      }
  }

  package var diagnostics: [DiagnosticMessage] {
    [
      DiagnosticMessage(
        .error, "import.date-format", message, cause: cause,
        excerpt: DiagnosticMessage.Excerpt(text: error.text, range: error.range, note: note),
        help: [help])
    ]
  }

  private var message: String {
    switch error.problem {
    case .empty: "the date format doesn't contain any part of a date"
    case .unknownLetter(let letter): "a date format can't contain the letter '\(letter)'"
    case .unclosedQuote: "the date format has an unclosed quote"
    case .repeated(let letters):
      "'\(letters)' specifies a part of the date that an earlier letter already specifies"
    }
  }

  private var help: DiagnosticRemedy {
    switch error.problem {
    case .unknownLetter("Y"): "the year is 'y'; 'Y' is the year that a week belongs to"
    case .unknownLetter("D"): "the day of the month is 'd'; 'D' is the day of the year"
    case .empty, .unknownLetter:
      "the letters are y M d E H h K k a m s S Z, as in yyyy-MM-dd'T'HH:mm:ssZ; write text in 'quotes'"
    case .unclosedQuote: "a quote itself is written as ''"
    case .repeated: "write text in 'quotes'"
    }
  }
}

/// The format of an attribute's dates.
struct DateForm {
  let pattern: DatePattern
  /// Whether the format is `UnixTime` in the model. It means milliseconds in MagicalRecord and seconds elsewhere, so
  /// the magnitude of each number determines its unit.
  var isOfEitherUnit = false

  /// The magnitude from which a number is read as milliseconds. As seconds, it would be more than 3,000 years; as
  /// milliseconds, it is about three years.
  private static let leastMilliseconds = 1e11

  private static let secondsFrom1970To2001 = 978_307_200.0

  /// Returns seconds since 2001 for a date in this format or in the format of `export`, or nil for other text.
  ///
  /// - Parameter counts: the count of the used unit is incremented if the format allows both units.
  func importedSeconds(
    _ bytes: UnsafeBufferPointer<UInt8>, counts: inout DateCounts
  ) -> Double? {
    guard let seconds = pattern.seconds(utf8: bytes) else { return Self.exportedSeconds(bytes) }
    guard isOfEitherUnit else { return seconds }
    guard (seconds + Self.secondsFrom1970To2001).magnitude >= Self.leastMilliseconds,
      let milliseconds = DatePattern.unixTimeMilliseconds.seconds(utf8: bytes)
    else {
      counts.seconds += 1
      return seconds
    }
    counts.milliseconds += 1
    return milliseconds
  }

  private static func exportedSeconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    // Requires a time and `Z`, as in exports. In a date without a time, the day could be before the month.
    guard bytes.last == UInt8(ascii: "Z"), bytes.contains(UInt8(ascii: "T")) else { return nil }
    return ISODate.seconds(utf8: bytes)
  }
}

/// Counts of an attribute's dates that are reported to the user, because they may have been misread.
public struct DateCounts: Hashable, Sendable {
  /// The number of values that were read as seconds since 1970 because of their magnitude.
  public var seconds = 0
  /// The number of values that were read as milliseconds since 1970 because of their magnitude.
  public var milliseconds = 0
  /// The number of dates after the year 9999. Their numbers usually have another unit than the format specifies.
  public var late = 0

  /// 10000-01-01 in seconds since 2001.
  private static let lateSeconds = 252_423_993_600.0

  mutating func note(_ seconds: Double) {
    if seconds >= Self.lateSeconds { late += 1 }
  }

  /// Whether the counts are reported.
  var isRemarkable: Bool { milliseconds > 0 || late > 0 }
}
