/// Conversions between ISO 8601 text and dates as a store contains them, in seconds since 2001-01-01 00:00 UTC.
///
/// The calendar is the proleptic Gregorian one. No formatter is used, because a formatter takes microseconds for each
/// date, and an export can write millions of dates.
///
///     ISODate.text(736_671_600.5)              // "2024-05-06T07:00:00.5Z"
///     ISODate.seconds("2024-05-06 09:00+02:00") // 736671600
package enum ISODate {
  /// The maximum distance from 2001 in seconds, about 285 million years. At a larger distance, a `Double` can't
  /// distinguish all successive seconds.
  package static let limit = 9e15

  package static let secondsPerDay: Int64 = 86_400

  /// Days from 1970-01-01 to 2001-01-01.
  package static let referenceDay: Int64 = 11_323
}

/// A day of the proleptic Gregorian calendar. Year 0 is 1 BC.
package struct CivilDay: Hashable {
  package var year: Int64
  package var month: Int64
  package var day: Int64

  // Both conversions are from Howard Hinnant's "chrono-Compatible Low-Level Date Algorithms": eras of 400 years, and
  // years that begin in March, so that the leap day is the last day.

  /// Days since 1970-01-01.
  package var daysSince1970: Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  package init(daysSince1970 days: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Fails if the month or the day doesn't exist.
  init?(year: Int64, month: Int64, day: Int64) {
    guard (1...12).contains(month), day >= 1 else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let length: Int64 =
      switch month {
      case 2: isLeap ? 29 : 28
      case 4, 6, 9, 11: 30
      default: 31
      }
    guard day <= length else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }
}
