import Foundation
import SeededRandom
import StoreModel
import StorePredicate
import SQLiteAccess
import Testing

@testable import StoreAnonymization

/// Replacements of values, without a store.
@Suite struct ReplacementTests {
  private static let key = Array("a key for the tests".utf8)

  private func replaced(
    _ value: SQLiteValue, _ rule: String, _ type: AttributeType, longest: Int64? = nil,
    isUnique: Bool = false, key: [UInt8] = ReplacementTests.key
  ) throws -> SQLiteValue {
    let attribute = AttributeDescription(
      name: "a", type: type, isOptional: true,
      validation: .init(maximum: longest.map { .integer($0) }))
    return try ValueReplacement(
      AnonymizationRule(text: rule), of: attribute, isUnique: isUnique, from: ValueSource(key: key)
    ).replaced(value)
  }

  @Test(arguments: [
    ("keep", AttributeType.string, SQLiteValue.text("Ray"), SQLiteValue.text("Ray")),
    ("null", .string, .text("Ray"), .null), ("blank", .string, .text("Ray"), .text("")),
    ("blank", .binary, .blob([1, 2]), .blob([])),
    ("constant Jane Doe", .string, .text("Ray"), .text("Jane Doe")),
    ("constant", .string, .text("Ray"), .text("")),
    ("constant 7", .integer16, .integer(3), .integer(7)),
    ("constant yes", .boolean, .integer(0), .integer(1)),
    ("constant AQI=", .binary, .blob([9]), .blob([1, 2])),
    // 2024-02-29T13:45:10Z
    ("round year", .date, .integer(730_907_110), .integer(725_760_000)),
    ("round month", .date, .integer(730_907_110), .integer(728_438_400)),
    ("round day", .date, .real(730_907_110.5), .real(730_857_600)),
    ("round hour", .date, .integer(730_907_110), .integer(730_904_400)),
    ("round minute", .date, .integer(730_907_110), .integer(730_907_100)),
    ("round 100", .integer32, .integer(1249), .integer(1200)),
    ("round 0.5", .double, .real(52.37), .real(52.5)),
    ("round 10", .integer16, .integer(32767), .integer(32767)),
    ("round 1", .decimal, .text("NaN"), .text("NaN")),
    ("scramble", .string, .text(""), .text("")), ("fake-name", .string, .null, .null),
    ("constant x", .string, .null, .null),
  ])
  func whatNeedsNoKey(
    _ rule: String, _ type: AttributeType, _ value: SQLiteValue, _ expected: SQLiteValue
  ) throws {
    #expect(try replaced(value, rule, type) == expected)
  }

  /// The replacements are stable: with the same key, later versions create the same ones.
  @Test(arguments: [
    ("hash", "", AttributeType.string), ("scramble", "", .string), ("fake-name", "", .string),
    ("fake-email", "", .string), ("fake-phone", "", .string), ("fake-address", "", .string),
  ])
  func theSameKeyGivesTheSame(_ rule: String, _: String, _ type: AttributeType) throws {
    let text = SQLiteValue.text("José Álvares, +49 170 1234567")
    let first = try replaced(text, rule, type)
    #expect(try replaced(text, rule, type) == first)
    #expect(try replaced(text, rule, type, key: Array("another key".utf8)) != first)
    #expect(first != text)
  }

  /// Length, case and punctuation don't change. Different texts of the same form have different replacements.
  @Test func scramblingPermutesTexts() throws {
    let scramble = ScrambledText(source: ValueSource(key: Self.key))
    for text in [
      "José Álvares-García, 47!", "Ünïcödé ß", "Привет, мир", "陳美玲 さくら サクラ 한국어", "שלום", "مرحبا",
      "नमस्ते",
      "👩‍💻🎉", "e\u{301}", "a", "Z9", String(repeating: "Lorem ipsum 42. ", count: 40),
    ] {
      let made = scramble.scrambled(text)
      #expect(made.utf16.count == text.utf16.count, "\(text) \(made)")
      #expect(made.unicodeScalars.map(Self.shape) == text.unicodeScalars.map(Self.shape))
      #expect(made != text, "\(text)")
    }
    let all = (0..<26 * 26 * 10).map { number -> String in
      let letters = [number / 260, number / 10 % 26].map {
        Character(Unicode.Scalar(97 + UInt8($0)))
      }
      return String(letters) + "\(number % 10)"
    }
    #expect(Set(all.map(scramble.scrambled)).count == all.count)
  }

  private static func shape(_ scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x61...0x7A: "a"
    case 0x41...0x5A: "A"
    case 0x30...0x39: "0"
    case ..<0x80: String(scalar)
    default: "other"
    }
  }

  @Test func numbersArePermutedWithinTheirSize() throws {
    let permutation = NumberPermutation(source: ValueSource(key: Self.key))
    let small = (Int64(-500)...500).map(permutation.permuted)
    #expect(Set(small).count == small.count)
    #expect(small.allSatisfy { Int16(exactly: $0) != nil })
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      let number =
        Int64.random(in: .min ... .max, using: &generator)
        >> Int64.random(in: 0..<64, using: &generator)
      let made = permutation.permuted(number)
      #expect((made < 0) == (number < 0), "\(number)")
      #expect((Int16(exactly: made) != nil) == (Int16(exactly: number) != nil), "\(number)")
      #expect((Int32(exactly: made) != nil) == (Int32(exactly: number) != nil), "\(number)")
    }
  }

  /// A random replacement would be equal to the letter for one in 26 keys.
  @Test(arguments: ["a", "Z", "7", "ab", "A7", "Ray", "é", "陳"])
  func scramblingNeverKeepsAText(_ text: String) throws {
    for number in 0..<Soak.times(200) {
      let key = Array("key \(number)".utf8)
      #expect(try replaced(.text(text), "scramble", .string, key: key) != .text(text))
    }
  }

  @Test func hashingNeverKeepsANumber() throws {
    for key in 0..<Soak.times(2) {
      let permutation = NumberPermutation(source: ValueSource(key: Array("key \(key)".utf8)))
      #expect((Int64(0)..<1 << 15).allSatisfy { permutation.permuted($0) != $0 })
    }
  }

  @Test(arguments: [
    ("jitter 10%", AttributeType.integer16), ("jitter 10%", .integer64), ("jitter 1", .integer32),
    ("jitter 0.1", .integer16), ("jitter 10%", .decimal), ("jitter 0.001", .decimal),
    ("jitter 10%", .double), ("jitter 10%", .float), ("jitter 1s", .date),
  ])
  func jitterNeverKeepsAValue(_ rule: String, _ type: AttributeType) throws {
    var values = (-20..<800).map { SQLiteValue.integer($0) }
    if type == .integer64 { values += [.integer(.max), .integer(.min), .integer(1 << 60)] }
    if type == .integer16 { values += [.integer(32_767), .integer(-32_768)] }
    if [.decimal, .double].contains(type) { values += [.real(0.01), .real(1e15), .real(0.5)] }
    for value in values {
      let made = try replaced(value, rule, type)
      #expect(made != value)
      guard case .integer(let number) = value, case .real(let moved) = made else { continue }
      #expect(moved != Double(number))
      #expect(number < 0 || moved >= 0 || type == .date)
    }
  }

  @Test func hashesHaveTheFormOfTheirType() throws {
    guard case .blob(let uuid) = try replaced(.blob(Array(1...16)), "hash", .uuid),
      case .blob(let data) = try replaced(.blob(Array(1...200)), "hash", .binary),
      case .text(let uri) = try replaced(.text("https://a.b"), "hash", .uri),
      case .text(let text) = try replaced(.text("x"), "hash", .string),
      case .text(let short) = try replaced(.text("x"), "hash", .string, longest: 8)
    else { return #expect(Bool(false)) }
    #expect(uuid.count == 16 && uuid[6] >> 4 == 4 && uuid[8] >> 6 == 2)
    #expect(data.count == 200)
    #expect(uri.hasPrefix("urn:hash:") && text.count == 32 && short == text.prefix(8))
  }

  /// Fake values don't belong to a person: 999 is not a country code, and example.com is reserved (RFC 2606).
  @Test func whatIsMadeUpIsOfNobody() throws {
    #expect(try "\(replaced(.text("+49 170 12-34"), "fake-phone", .string))".contains("+999 "))
    guard case .text(let email) = try replaced(.text("ray@corp.io"), "fake-email", .string),
      case .text(let url) = try replaced(.text("https://corp.io"), "fake-url", .uri),
      case .text(let scrambled) = try replaced(.text("https://corp.io/ray"), "scramble", .uri)
    else { return #expect(Bool(false)) }
    #expect(email.hasSuffix("@example.com") && url.hasPrefix("https://example.com/"))
    #expect(scrambled.hasPrefix("https://") && scrambled.count == 19)
  }

  /// There are 13,000 names. Appended letters make unique values differ.
  @Test func uniqueNamesDiffer() throws {
    let names = try (0..<3000).map {
      try replaced(.text("\($0)"), "fake-first-name", .string, isUnique: true)
    }
    #expect(Set(names).count == 3000)
    let short = try (0..<500).map {
      try replaced(.text("\($0)"), "fake-name", .string, longest: 10, isUnique: true)
    }
    #expect(Set(short).count == 500)
  }

  /// The number of days between two dates and the time of day don't change.
  @Test func shiftingKeepsDistances() throws {
    let dates: [Double] = [0, 86_400.5, -1e9, 8e8]
    let made = try dates.map { date -> Double in
      guard case .real(let made) = try replaced(.real(date), "shift 30d", .date) else {
        return .nan
      }
      return made - date
    }
    #expect(Set(made).count == 1)
    #expect(
      abs(made[0]) <= 30 * 86_400 && made[0] != 0 && made[0].remainder(dividingBy: 86_400) == 0)
  }

  @Test func jitterStaysWithinItsBounds() throws {
    for number in 1...200 {
      guard
        case .integer(let moved) = try replaced(.integer(Int64(number)), "jitter 5", .integer32),
        case .real(let scaled) = try replaced(.real(Double(number)), "jitter 10%", .double),
        case .integer(let date) = try replaced(.integer(Int64(number)), "jitter 7d", .date)
      else { return #expect(Bool(false)) }
      #expect(abs(moved - Int64(number)) <= 5 && abs(date - Int64(number)) <= 7 * 86_400)
      #expect(abs(scaled / Double(number) - 1) <= 0.1)
    }
  }

  /// Compares each month of 1,200 years with Foundation's calendar.
  @Test func roundingKnowsTheCalendar() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    for month in stride(from: -7200, to: 7200, by: 7) {
      let date = Date(timeIntervalSinceReferenceDate: Double(month) * 30.4375 * 86_400)
      // Before 1582, Foundation uses the Julian calendar.
      guard date > Date(timeIntervalSinceReferenceDate: -13_180_000_000) else { continue }
      for (step, component) in [
        (AnonymizationRule.CalendarStep.year, Calendar.Component.year), (.month, .month),
        (.day, .day), (.hour, .hour), (.minute, .minute),
      ] {
        let start = calendar.dateInterval(of: component, for: date)?.start
        #expect(
          step.start(of: date.timeIntervalSinceReferenceDate)
            == start?.timeIntervalSinceReferenceDate, "\(date) \(step)")
      }
    }
  }

  @Test func aValueOfAnotherTypeIsNotTaken() {
    #expect(throws: ValueReplacement.UnfitValue.self) { try replaced(.text("x"), "shift", .date) }
    #expect(throws: ValueReplacement.UnfitValue.self) {
      try replaced(.integer(1), "scramble", .string)
    }
    #expect(throws: ValueReplacement.UnfitValue.self) {
      try replaced(.blob([1]), "jitter 1", .double)
    }
  }

  @Test(arguments: [
    "keep", "null", "blank", "constant Jane  Doe", "constant", "hash", "scramble",
    "fake-first-name",
    "shift 90d", "shift 36h", "jitter 45s", "jitter 10%", "jitter 0.5", "round month", "round 100",
  ])
  func aRuleReadsAsItIsWritten(_ text: String) throws {
    #expect(try AnonymizationRule(text: text).text == text)
  }
}
