package import StoreDiagnostics
import StoreLayout
import StoreModel
package import StorePredicate

/// How the input writes dates: as the model's userInfo says for an attribute, else as the caller
/// says for all, else as ISO 8601.
struct DateFormats {
  /// The model's own name for the form of an attribute's dates.
  private static let userInfoKey = "dateFormat"

  let model: Model
  let general: DatePattern?

  /// The forms of an entity's date attributes, by name; those without one are ISO 8601.
  ///
  /// - Throws: `DateFormatError` for a form in the model that can't be read.
  func formats(of entity: Entity) throws(DateFormatError) -> [String: DateForm] {
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

/// A date format that can't be read.
package struct DateFormatError: DiagnosableError, Hashable {
  private let error: DatePatternError
  private let origin: Origin

  /// Who has said it.
  package enum Origin: Hashable, Sendable {
    /// The userInfo of an attribute.
    case attribute(String)
    /// The caller, who calls it by a name.
    case argument(String)
  }

  package init(_ error: DatePatternError, in origin: Origin) {
    self.error = error
    self.origin = origin
  }

  package var diagnostics: [Diagnostic] {
    [
      Diagnostic(
        .error, "import.date-format", message, cause: cause,
        excerpt: Diagnostic.Excerpt(text: error.text, range: error.range, note: note),
        help: [help])
    ]
  }

  private var cause: Diagnostic.Cause {
    switch origin {
    case .attribute: .invalid
    case .argument: .usage
    }
  }

  private var note: String {
    switch origin {
    case .attribute(let name): "in the dateFormat (userInfo) of '\(name)'"
    case .argument(let name): "in \(name)"
    }
  }

  private var message: String {
    switch error.problem {
    case .empty: "a date format names at least one part of a date"
    case .unknownLetter(let letter): "a date format can't have '\(letter)'"
    case .unclosedQuote: "a quote of the date format is not closed"
    case .repeated(let letters): "'\(letters)' gives a part of the date a second time"
    }
  }

  private var help: Remedy {
    switch error.problem {
    case .unknownLetter("Y"): "the year is 'y'; 'Y' is the year that a week belongs to"
    case .unknownLetter("D"): "the day of the month is 'd'; 'D' is that of the year"
    case .empty, .unknownLetter:
      "the letters are y M d E H h K k a m s S Z, as in yyyy-MM-dd'T'HH:mm:ssZ; text stands in 'quotes'"
    case .unclosedQuote: "a quote itself is written as ''"
    case .repeated: "text stands in 'quotes'"
    }
  }
}

/// How the dates of one attribute are written.
struct DateForm {
  let pattern: DatePattern
  /// The model's `UnixTime`: MagicalRecord means milliseconds by it, others mean seconds. The magnitude of each number decides.
  var isOfEitherUnit = false

  /// From this number of seconds on, more than 3,000 years after 1970, a number is milliseconds. As milliseconds it is in 1973.
  private static let leastMilliseconds = 1e11

  private static let secondsFrom1970To2001 = 978_307_200.0

  /// Seconds since 2001 of a date in this form, or in the one that `export` writes; nil for other text.
  ///
  /// - Parameter counts: takes the unit of numbers that may be of either.
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
    // Only what can't be meant otherwise: a date alone could have its day and month swapped.
    guard bytes.last == UInt8(ascii: "Z"), bytes.contains(UInt8(ascii: "T")) else { return nil }
    return ISODate.seconds(utf8: bytes)
  }
}

/// What is remarkable about the dates of an attribute.
package struct DateCounts: Hashable, Sendable {
  /// Numbers that were read as seconds or milliseconds since 1970 because of their magnitude.
  package var seconds = 0
  package var milliseconds = 0
  /// Dates after the year 9999, which are mostly of another unit.
  package var late = 0

  /// 10000-01-01 in seconds since 2001.
  private static let lateSeconds = 252_423_993_600.0

  mutating func note(_ seconds: Double) {
    if seconds >= Self.lateSeconds { late += 1 }
  }

  /// Whether a note says something about them.
  var isRemarkable: Bool { milliseconds > 0 || late > 0 }
}
