import RecordFormats
import SeededRandom
import Testing

@Suite struct NumberTextTests {
  private func bytes<T>(_ text: String, _ read: (UnsafeBufferPointer<UInt8>) -> T) -> T {
    Array(text.utf8).withUnsafeBufferPointer(read)
  }

  static let integers: [(String, Int64?)] = [
    ("0", 0), ("-0", 0), ("+7", 7), ("9223372036854775807", .max), ("-9223372036854775808", .min),
    ("9223372036854775808", nil), ("-9223372036854775809", nil), ("", nil), ("-", nil),
    ("1.0", nil), ("1e3", nil), (" 1", nil), ("99999999999999999999", nil), ("007", 7),
  ]

  @Test(arguments: integers) func integersAreExact(text: String, value: Int64?) {
    #expect(bytes(text, NumberText.integer) == value)
  }

  static let doubles: [(String, Double?)] = [
    ("0.1", 0.1), ("-0.5", -0.5), ("1e300", 1e300), ("123456789.123456", 123456789.123456),
    ("1e999", .infinity), ("0x10", nil), ("inf", nil), ("nan", nil), ("", nil), ("1.2.3", nil),
    ("1.", 1.0), (".5", 0.5), ("abc", nil), ("12345678901234567168", 12345678901234567168),
  ]

  @Test(arguments: doubles) func doublesAreTheNearest(text: String, value: Double?) {
    #expect(bytes(text, NumberText.double) == value)
  }

  @Test func everyDoubleReadsBack() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      let random = Double(bitPattern: .random(in: 0...(.max), using: &generator))
      let short = Double(Int.random(in: -999_999_999...999_999_999, using: &generator)) / 1_000
      for value in [random, short] where value.isFinite {
        #expect(bytes(value.description, NumberText.double) == value, "seed 5: \(value)")
      }
    }
  }

  static let digits: [(String, Int)] = [
    ("0", 0), ("100", 1), ("0.00120", 2), ("-12.5e10", 3), ("1234567890123456", 16),
  ]

  @Test(arguments: digits) func significantDigits(text: String, count: Int) {
    #expect(bytes(text, NumberText.significantDigits) == count)
  }

  @Test func base64IsReadAndWritten() {
    for bytes in [[], [0], [1, 2], [0xFF, 0xFE, 0xFD], Array(0...255)] as [[UInt8]] {
      var buffer = ByteBuffer()
      bytes.withUnsafeBufferPointer { buffer.append(base64: $0) }
      #expect(Self.decoded(buffer.text) == bytes)
      #expect(Self.decoded(String(buffer.text.prefix { $0 != "=" })) == bytes)
    }
    for wrong in ["A", "AA=", "AA=A", "A===", "AB==", "A A=", "AAAA=", "é"] {
      #expect(Self.decoded(wrong) == nil, "\(wrong)")
    }
  }

  private static func decoded(_ text: String) -> [UInt8]? {
    Array(text.utf8).withUnsafeBufferPointer { text in
      let place = UnsafeMutablePointer<UInt8>.allocate(capacity: Base64Text.capacity(text))
      defer { place.deallocate() }
      return Base64Text.decode(text, into: place).map {
        Array(UnsafeBufferPointer(start: place, count: $0))
      }
    }
  }
}
