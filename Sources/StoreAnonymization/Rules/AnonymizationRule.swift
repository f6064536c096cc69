/// What becomes of an attribute's values. NULL and the empty text stay what they are under each of them but `null`.
package enum AnonymizationRule: Hashable, Sendable {
  case keep
  case null
  /// The empty text, or no bytes.
  case blank
  /// One value for all, written as an assignment writes it.
  case constant(String)
  /// What only the key could lead back from: letters and digits, a number, a UUID, as many bytes.
  case hash
  /// Other letters and digits.
  case scramble
  case fake(FakeKind)
  /// All dates by the same span, which the key tells: up to so many seconds, in whole days.
  case shift(seconds: Int64)
  /// Each value by something of its own.
  case jitter(Extent)
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

  /// Where a date is cut, in UTC.
  package enum CalendarStep: String, CaseIterable, Hashable, Sendable {
    case year, month, day, hour, minute
  }
}

extension AnonymizationRule {
  /// Whether two values may become one.
  var mergesValues: Bool {
    switch self {
    case .blank, .constant, .jitter, .round: true
    case .keep, .null, .hash, .scramble, .fake, .shift: false
    }
  }

  /// Whether nothing has to be written.
  var isKeep: Bool { self == .keep }
}
