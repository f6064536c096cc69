import Testing

@testable import StorePredicate

struct DatePatternTests {
  @Test(
    arguments: [
      ("yyyy-MM-dd'T'HH:mm:ss'Z'", "2024-05-06T07:08:09Z", "2024-05-06T07:08:09Z"),
      ("yyyy-MM-dd'T'HH:mm:ss.SSSZ", "2024-05-06T07:08:09.120+0200", "2024-05-06T05:08:09.12Z"),
      ("yyyy-MM-dd HH:mm:ssXXX", "2024-05-06 07:08:09-01:30", "2024-05-06T08:38:09Z"),
      ("yyyy-MM-dd HH:mm:ss zzz", "2024-05-06 07:08:09 GMT+01:00", "2024-05-06T06:08:09Z"),
      ("M/d/yyyy H-mm-ss", "5/6/2024 7-08-09", "2024-05-06T07:08:09Z"),
      // A pattern of real models: the hour is from 0 to 23, so 'a' is redundant.
      ("M/d/yyyy H-mm-ss a", "12/26/2011 19-00-00 PM", "2011-12-26T19:00:00Z"),
      ("M/d/yyyy h:mm a", "5/6/2024 12:05 am", "2024-05-06T00:05:00Z"),
      ("M/d/yyyy h:mm a", "5/6/2024 12:05 PM", "2024-05-06T12:05:00Z"),
      ("M/d/yyyy K:mm a", "5/6/2024 0:05 PM", "2024-05-06T12:05:00Z"),
      ("d.M.yyyy k:mm", "6.5.2024 24:05", "2024-05-06T00:05:00Z"),
      ("yyyyMMddHHmmssSSS", "20240506070809125", "2024-05-06T07:08:09.125Z"),
      ("EEE, d MMM yyyy HH:mm:ss Z", "Mon, 6 May 2024 07:08:09 +0000", "2024-05-06T07:08:09Z"),
      ("EEEE MMMM d, yyyy", "Thursday February 29, 2024", "2024-02-29T00:00:00Z"),
      ("dd.MM.yy", "06.05.49", "2049-05-06T00:00:00Z"),
      ("dd.MM.yy", "06.05.50", "1950-05-06T00:00:00Z"),
      ("HH 'o''clock'", "07 o'clock", "2000-01-01T07:00:00Z"),
      ("yyyy''MM", "2024'05", "2024-05-01T00:00:00Z"),
      ("yyyy年M月d日", "2024年5月6日", "2024-05-06T00:00:00Z"),
      ("UnixTime", "978307200", "2001-01-01T00:00:00Z"),
      ("UnixTime", "978307200.25", "2001-01-01T00:00:00.25Z"),
      ("UnixTime", "-1", "1969-12-31T23:59:59Z"),
      ("UnixTimeMilliseconds", "978307200001", "2001-01-01T00:00:00.001Z"),
    ])
  func reads(pattern: String, text: String, date: String) throws {
    #expect(try DatePattern(pattern).seconds(text) == ISODate.seconds(date))
  }

  @Test(
    arguments: [
      ("yyyy-MM-dd", "2023-02-29"), ("yyyy-MM-dd", "2024-13-01"), ("yyyy-MM-dd", "2024-05-06 "),
      ("yyyy-MM-dd", "2024-05"), ("yyyy-MM-dd", ""), ("yyyy-MM-dd", "2024-05-0६"),
      ("HH:mm", "24:00"), ("HH:mm", "7:60"), ("h a", "13 PM"), ("h a", "0 PM"), ("k", "0"),
      ("h a", "1 XM"), ("yyyyMMdd", "2024506"), ("d MMM yyyy", "6 Mai 2024"), ("s.S", "1."),
      ("HHZ", "07"), ("HHZ", "07+2"), ("HHZ", "07+02:"), ("HHZ", "07+24"), ("HHz", "07 PST"),
      ("UnixTime", "soon"), ("UnixTime", "nan"), ("UnixTime", "1e300"), ("UnixTime", "0x10"),
      ("UnixTime", ""), ("yyyy", "1234567890"), ("dd.MM.yy", "06.05.2024"),
    ])
  func refuses(pattern: String, text: String) throws {
    #expect(try DatePattern(pattern).seconds(text) == nil)
  }

  @Test(
    arguments: [
      ("", .empty, 0..<0), ("'T'", .empty, 0..<3), ("YYYY-MM", .unknownLetter("Y"), 0..<4),
      ("yyyy-MM-DD", .unknownLetter("D"), 8..<10), ("yyyy 'T", .unclosedQuote, 5..<7),
      ("HH:mm MM HH", .repeated("HH"), 9..<11), ("M MMM", .repeated("MMM"), 2..<5),
      ("é unixtime", .unknownLetter("n"), 4..<5),
    ] as [(String, DatePatternError.Issue, Range<Int>)])
  func namesWhatItCannotRead(text: String, problem: DatePatternError.Issue, range: Range<Int>) {
    #expect(throws: DatePatternError(problem: problem, text: text, range: range)) {
      try DatePattern(text)
    }
  }

  /// Whole seconds and milliseconds are converted to text and back without a difference.
  @Test func epochsAreExact() throws {
    let milliseconds = try DatePattern("UnixTimeMilliseconds")
    for number in stride(from: Int64(1_600_000_000_000), to: 1_600_000_010_000, by: 7) {
      #expect(
        milliseconds.seconds("\(number)")
          == Double(
            "\((number - 978_307_200_000) / 1000).\(String(1000 + number % 1000).dropFirst())"))
    }
  }
}
