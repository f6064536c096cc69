/// The form of a rule in a file and in a model: a name, and for some what it needs.
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
    if name.hasPrefix(Self.fakePrefix),
      let kind = FakeKind(rawValue: String(name.dropFirst(Self.fakePrefix.count)))
    {
      self = .fake(kind)
    } else {
      switch name {
      case "keep": self = .keep
      case "null": self = .null
      case "blank": self = .blank
      case "hash": self = .hash
      case "scramble": self = .scramble
      case "constant": self = .constant(rest)
      case "shift": self = .shift(seconds: rest.isEmpty ? Self.usualShift : try Self.span(rest))
      case "jitter": self = .jitter(try Self.extent(rest))
      case "round": self = .round(try Self.step(rest))
      default: throw .unknownRule(name, known: Self.names)
      }
    }
    let takesMore = ["constant", "shift", "jitter", "round"].contains(name)
    guard takesMore || rest.isEmpty else { throw .unexpected(rest, after: name) }
    if case .shift(let seconds) = self, seconds < Self.secondsOfDay {
      throw .notASpan(rest, least: "1d")
    }
  }

  static let names =
    ["keep", "null", "blank", "constant", "hash", "scramble", "shift", "jitter", "round"]
    + FakeKind.allCases.map { fakePrefix + $0.rawValue }

  private static let fakePrefix = "fake-"
  static let secondsOfDay: Int64 = 86_400
  private static let usualShift = 180 * secondsOfDay
  private static let units: [(letter: Character, seconds: Int64)] = [
    ("d", secondsOfDay), ("h", 3600), ("m", 60), ("s", 1),
  ]

  /// `90d`, `12h`
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

  /// As it is written.
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

/// Why a text is no rule.
package enum RuleTextError: Error, Hashable, Sendable {
  case empty
  case unknownRule(String, known: [String])
  case unknownStep(String, known: [String])
  case unexpected(String, after: String)
  case notASpan(String, least: String?)
  case notANumber(String)
}
