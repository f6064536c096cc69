extension AnonymizationRule.CalendarStep {
  /// The first moment of the year, month, day, hour or minute that a date is in.
  ///
  /// - Parameter seconds: since 2001, in UTC, as is what is returned.
  func start(of seconds: Double) -> Double {
    switch self {
    case .minute: return floor(seconds, to: 60)
    case .hour: return floor(seconds, to: 3600)
    case .day: return floor(seconds, to: Self.secondsOfDay)
    case .month, .year:
      guard abs(seconds) < Self.farthest else { return seconds }
      let date = CivilDate(days: Int64((seconds / Self.secondsOfDay).rounded(.down)))
      let start = CivilDate(year: date.year, month: self == .year ? 1 : date.month)
      return Double(start.days) * Self.secondsOfDay
    }
  }

  private func floor(_ seconds: Double, to unit: Double) -> Double {
    (seconds / unit).rounded(.down) * unit
  }

  private static let secondsOfDay = 86_400.0
  /// 300,000 years: what calendars say of later ones is of no use.
  private static let farthest = 1e13
}

/// A day of the Gregorian calendar, by the count of days since 2001-01-01.
///
/// As in https://howardhinnant.github.io/date_algorithms.html: years that begin in March have their leap day last.
private struct CivilDate {
  var year: Int64
  var month: Int64

  /// From 0000-03-01 to 2001-01-01.
  private static let epoch: Int64 = 730_791
  private static let daysOfEra: Int64 = 146_097

  init(year: Int64, month: Int64) {
    (self.year, self.month) = (year, month)
  }

  init(days: Int64) {
    let shifted = days + Self.epoch
    let era = (shifted >= 0 ? shifted : shifted - Self.daysOfEra + 1) / Self.daysOfEra
    let day = shifted - era * Self.daysOfEra
    let yearOfEra = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Of the first of the month.
  var days: Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5
    return era * Self.daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
      - Self.epoch
  }
}
