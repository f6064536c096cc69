import Foundation
import SeededRandom
import StorePredicate
import Testing

struct ISODateTests {
  @Test(
    arguments: [
      ("2001-01-01", 0), ("2001-01-01T00:00:00Z", 0), ("2001-01-01 00:00", 0),
      ("2001-01-01T00:00:01.5", 1.5), ("2001-01-01T02:00:00+02:00", 0),
      ("2000-12-31T22:30-0130", 0),
      ("2001-01-01T02:00+02", 0), ("2001-01-01t00:00:00,25z", 0.25), ("1970-01-01", -978_307_200),
      ("2024-05-06T07:08:09Z", 736_672_089), ("2000-12-31T23:59:58.75Z", -1.25),
      ("+012345-06-07T00:00:00Z", 326_438_640_000), ("-000001-12-31", -63_145_612_800),
      ("0000-02-29", -63_140_428_800),
    ] as [(String, Double)])
  func reads(text: String, seconds: Double) {
    #expect(ISODate.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "2024", "2024-5-6", "2024-13-01", "2024-02-30", "2023-02-29", "1900-02-29", "2024-00-10",
    "2024-01-00", "2024-05-06T", "2024-05-06T24:00", "2024-05-06T07:60", "2024-05-06T07:08:60",
    "2024-05-06T07:08:09.", "2024-05-06T07:08:09.Z", "2024-05-06T07:08:09X", "2024-05-06T07:08+2",
    "2024-05-06T07:08:09Z ", " 2024-05-06", "2024-05-06Z", "2024/05/06", "20240506", "+123-01-01",
    "+1234567890-01-01", "2024-05-06T07:08+24:00", "2024-05-06T07:08+02:0", "２０２４-05-06",
  ])
  func refuses(text: String) {
    #expect(ISODate.seconds(text) == nil)
  }

  @Test(
    arguments: [
      (0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"),
      (-0.25, "2000-12-31T23:59:59.75Z"),
      (736_672_089.120, "2024-05-06T07:08:09.12Z"),
      (736_672_089.000_001, "2024-05-06T07:08:09.000001Z"),
      (0.000_000_1, "2001-01-01T00:00:00.0000001Z"), (1e-5, "2001-01-01T00:00:00.00001Z"),
      (-63_145_612_800, "-000001-12-31T00:00:00Z"), (326_438_640_000, "+012345-06-07T00:00:00Z"),
      (-63_113_904_000, "0001-01-01T00:00:00Z"), (9e15, "+285200647-07-25T16:00:00Z"),
    ] as [(Double, String)])
  func writes(seconds: Double, text: String) {
    #expect(ISODate.text(seconds) == text)
    #expect(ISODate.seconds(text) == seconds)
  }

  @Test func refusesWhatIsNoDate() {
    for seconds in [Double.nan, .infinity, -.infinity, 1e16] {
      #expect(ISODate.text(seconds) == nil)
    }
  }

  @Test func everyDayAgreesWithFoundation() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    // Foundation uses the Julian calendar before 1582, and our code doesn't.
    let first = try #require(ISODate.seconds("1583-01-01"))
    for day in stride(from: 0, to: 400_000, by: 3) {
      let seconds = first + Double(day) * 86_400
      let parts = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSinceReferenceDate: seconds))
      let expected = String(
        format: "%04d-%02d-%02dT00:00:00Z", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
      try #require(ISODate.text(seconds) == expected)
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func everyNumberReadsBack(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let magnitude = Double.random(in: -16...15.9, using: &random)
      var seconds = pow(10, magnitude) * (Bool.random(using: &random) ? 1 : -1)
      let decimals = pow(10, Double(Int.random(in: 0...8, using: &random)))
      if Bool.random(using: &random) { seconds = (seconds * decimals).rounded() / decimals }
      guard seconds.magnitude <= ISODate.limit else { continue }
      let text = try #require(ISODate.text(seconds))
      try #require(ISODate.seconds(text) == seconds, "seed \(seed): \(seconds) as \(text)")
      // Not shorter than the shortest decimal representation of the number.
      let fraction = text.split(separator: ".").dropFirst().first?.dropLast() ?? ""
      let plain = seconds.description.split(separator: ".").dropFirst().first ?? ""
      guard !seconds.description.contains("e") else { continue }
      try #require(fraction.count <= (plain == "0" ? 0 : plain.count), "\(seconds) as \(text)")
    }
  }
}
