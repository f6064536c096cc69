package import StoreModel
import StorePredicate

/// A rule for the values of an attribute. All rules keep NULL, and all rules except `null` and `constant` keep the
/// empty text.
package enum AnonymizationRule: Hashable, Sendable {
  case keep
  case null
  /// Replaces texts by the empty text, and data by empty data.
  case blank
  /// Replaces all values by one value. Its text has the same syntax as in the command `update`.
  case constant(String)
  /// Replaces texts by hexadecimal digits, URIs by URNs with such digits, integers by integers, UUIDs by UUIDs, and
  /// data by data of the same length. The new values depend on the old value and on a secret key.
  case hash
  /// Replaces letters by letters, and digits by digits.
  case scramble
  case fake(FakeKind)
  /// Shifts all dates with this rule by the same number of whole days, which depends on the secret key and is at most
  /// `seconds`.
  case shift(seconds: Int64)
  /// Changes each value by an amount that depends on the value and on the secret key, and is at most the extent. A
  /// value that this wouldn't change is changed by a small step.
  case jitter(Extent)
  /// Rounds numbers to a multiple of the step, or truncates dates.
  case round(Step)

  package enum Extent: Hashable, Sendable {
    case seconds(Int64)
    case number(Double)
    case percent(Double)
  }

  package enum Step: Hashable, Sendable {
    case calendar(CalendarStep)
    case number(Double)
  }

  /// The precision to which a date is truncated, in UTC.
  package enum CalendarStep: String, CaseIterable, Hashable, Sendable {
    case year, month, day, hour, minute
  }

  /// Whether the rule can make unique values equal. Fake values are made different if they must be unique, and several
  /// NULLs are allowed.
  var mergesValues: Bool {
    switch self {
    case .blank, .constant, .jitter, .round: true
    case .keep, .null, .hash, .scramble, .fake, .shift: false
    }
  }

  var isKeep: Bool { self == .keep }
}

/// The text of a rule in a file and in a model: a name and, for some rules, an argument.
///
///     fake-name
///     constant Jane Doe
///     shift 90d
extension AnonymizationRule {
  /// - Throws: `RuleTextError`
  package init(text: String) throws(RuleTextError) {
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard let name = parts.first.map(String.init) else { throw .empty }
    let rest = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
    if let rule = Self.plain.first(where: { $0.text == name }) {
      guard rest.isEmpty else { throw .unexpected(rest, after: name) }
      self = rule
      return
    }
    switch name {
    case "constant": self = .constant(rest)
    case "shift":
      let seconds = rest.isEmpty ? Self.usualShift : try Self.span(rest)
      guard seconds >= ISODate.secondsPerDay else { throw .notASpan(rest, least: "1d") }
      self = .shift(seconds: seconds)
    case "jitter": self = .jitter(try Self.extent(rest))
    case "round": self = .round(try Self.step(rest))
    default: throw .unknownRule(name, known: Self.names)
    }
  }

  /// The rules without an argument.
  private static let plain: [AnonymizationRule] =
    [.keep, .null, .blank, .hash, .scramble] + FakeKind.allCases.map { .fake($0) }

  static let names =
    ["keep", "null", "blank", "constant", "hash", "scramble", "shift", "jitter", "round"]
    + FakeKind.allCases.map { fakePrefix + $0.rawValue }

  private static let fakePrefix = "fake-"
  /// The default limit for shifting dates: 180 days, in seconds.
  static let usualShift = 180 * ISODate.secondsPerDay
  private static let units: [(letter: Character, seconds: Int64)] = [
    ("d", ISODate.secondsPerDay), ("h", 3600), ("m", 60), ("s", 1),
  ]

  /// Reads a duration such as `90d` or `12h`.
  private static func span(_ text: String) throws(RuleTextError) -> Int64 {
    guard let unit = units.first(where: { $0.letter == text.last }),
      let count = Int64(text.dropLast()), count > 0, count <= 100_000_000_000 / unit.seconds
    else { throw .notASpan(text, least: nil) }
    return count * unit.seconds
  }

  private static func extent(_ text: String) throws(RuleTextError) -> Extent {
    if text.hasSuffix("%") { return .percent(try number(String(text.dropLast()))) }
    if let last = text.last, last.isLetter { return .seconds(try span(text)) }
    return .number(try number(text))
  }

  private static func step(_ text: String) throws(RuleTextError) -> Step {
    if let step = CalendarStep(rawValue: text) { return .calendar(step) }
    if let first = text.first, first.isLetter {
      throw .unknownStep(text, known: CalendarStep.allCases.map(\.rawValue))
    }
    return .number(try number(text))
  }

  private static func number(_ text: String) throws(RuleTextError) -> Double {
    guard let number = Double(text), number.isFinite, number > 0, number <= 1e15 else {
      throw .notANumber(text)
    }
    return number
  }

  /// The text of the rule.
  package var text: String {
    switch self {
    case .keep: "keep"
    case .null: "null"
    case .blank: "blank"
    case .constant(let text): text.isEmpty ? "constant" : "constant \(text)"
    case .hash: "hash"
    case .scramble: "scramble"
    case .fake(let kind): Self.fakePrefix + kind.rawValue
    case .shift(let seconds): "shift \(Self.text(ofSpan: seconds))"
    case .jitter(.seconds(let seconds)): "jitter \(Self.text(ofSpan: seconds))"
    case .jitter(.number(let number)): "jitter \(Self.text(of: number))"
    case .jitter(.percent(let number)): "jitter \(Self.text(of: number))%"
    case .round(.calendar(let step)): "round \(step.rawValue)"
    case .round(.number(let number)): "round \(Self.text(of: number))"
    }
  }

  private static func text(ofSpan seconds: Int64) -> String {
    let unit = units.first { seconds.isMultiple(of: $0.seconds) }
    return "\(seconds / (unit?.seconds ?? 1))\(unit?.letter ?? "s")"
  }

  private static func text(of number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? "\(number)"
  }
}

/// The reason why a text isn't a rule.
package enum RuleTextError: Error, Hashable, Sendable {
  case empty
  case unknownRule(String, known: [String])
  case unknownStep(String, known: [String])
  case unexpected(String, after: String)
  case notASpan(String, least: String?)
  case notANumber(String)
}

extension AnonymizationRule {
  /// Returns whether the rule can replace values of a type.
  package func suits(_ type: AttributeType) -> Bool {
    switch self {
    case .keep, .null: true
    case .blank: [.string, .binary].contains(type)
    case .constant: ![.undefined, .objectID].contains(type)
    case .hash: [.string, .uri, .uuid, .binary].contains(type) || type.isInteger
    case .scramble: [.string, .uri].contains(type)
    case .fake(.url): [.string, .uri].contains(type)
    case .fake: type == .string
    case .shift, .jitter(.seconds), .round(.calendar): type == .date
    case .jitter(.number), .jitter(.percent), .round(.number): type.isNumber
    }
  }

  /// Returns an example of each rule that suits a type, for messages.
  package static func names(for type: AttributeType) -> [String] {
    let examples: [AnonymizationRule] =
      [.keep, .null, .blank, .constant("…"), .hash, .scramble] + FakeKind.allCases.map { .fake($0) }
      + [.shift(seconds: usualShift)]
      + (type == .date
        ? [.jitter(.seconds(7 * ISODate.secondsPerDay)), .round(.calendar(.month))]
        : [.jitter(.percent(10)), .round(.number(10))])
    return examples.filter { $0.suits(type) }.map(\.text)
  }
}

extension AttributeType {
  var isInteger: Bool { [.integer16, .integer32, .integer64].contains(self) }

  var isNumber: Bool { isInteger || [.decimal, .double, .float].contains(self) }

  /// Whether values are stored as numbers, so that text and data in the column are invalid, except the text "NaN" for a
  /// Decimal.
  var isStoredAsNumber: Bool { isKeptByDefault || self == .date }

  /// Whether values without a rule are kept. These are numbers, Booleans and object IDs, which contain little
  /// information on their own.
  var isKeptByDefault: Bool { isNumber || self == .boolean || self == .objectID }
}

extension AnonymizationRule.CalendarStep {
  /// Returns the start of the year, month, day, hour or minute of a date.
  ///
  /// - Parameter seconds: seconds since 2001 in UTC, like the result.
  func start(of seconds: Double) -> Double {
    switch self {
    case .minute: return floor(seconds, to: 60)
    case .hour: return floor(seconds, to: 3600)
    case .day: return floor(seconds, to: Self.secondsOfDay)
    case .month, .year:
      guard abs(seconds) < Self.farthest else { return seconds }
      let days = Int64((seconds / Self.secondsOfDay).rounded(.down))
      var date = CivilDay(daysSince1970: days + ISODate.referenceDay)
      date.day = 1
      if self == .year { date.month = 1 }
      return Double(date.daysSince1970 - ISODate.referenceDay) * Self.secondsOfDay
    }
  }

  private func floor(_ seconds: Double, to unit: Double) -> Double {
    (seconds / unit).rounded(.down) * unit
  }

  private static let secondsOfDay = Double(ISODate.secondsPerDay)
  /// About 300,000 years in seconds. Dates that are farther from 2001 aren't truncated to a month or year.
  private static let farthest = 1e13
}
