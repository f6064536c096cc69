@testable import PredicateSQL
import Foundation
import SeededRandom
import StorePredicate
import Testing

/// Sums of Decimals, compared with Foundation's decimal arithmetic.
struct DecimalSumTests {
  private func sum(_ numbers: Number...) -> DecimalSum {
    var sum = DecimalSum()
    for number in numbers { sum.add(number) }
    return sum
  }

  @Test func addsDecimalsExactly() {
    #expect(sum(.real(100.1), .real(100.1), .real(100.1)).value == .real(300.3))
    #expect(sum(.real(0.1), .real(0.2)).value == .real(0.3))
    #expect(sum(.real(0.1), .integer(5), .real(-0.1)).value == .integer(5))
    #expect(sum(.real(123_456_789_012.25), .real(1e-7)).value == .real(123_456_789_012.250_000_1))
    #expect(sum(.real(0.30000000000000004), .real(-0.3)).value == .real(4e-17))
    #expect(sum().value == .integer(0))
  }

  @Test func keepsIntegersThatNeedMoreThan64Bits() {
    #expect(sum(.integer(.max), .integer(.max)).value == .real(0x1p64))
    #expect(sum(.integer(.max), .integer(1), .integer(-1)).value == .integer(.max))
    #expect(sum(.integer(.min), .real(0.5), .integer(.max)).value == .real(-0.5))
  }

  @Test func addsNumbersWithTooManyDigitsAsDoubles() {
    #expect(sum(.real(1e300), .real(1e300)).value == .real(2e300))
    #expect(sum(.real(1e-40), .integer(2)).value == .real(2))
    #expect(sum(.real(5e20), .real(0.5)).value == .real(5e20))
    #expect(sum(.real(.infinity), .real(0.5)).value == .real(.infinity))
  }

  @Test func averagesExactly() {
    #expect(sum(.real(100.1), .real(100.1), .real(100.1)).mean(of: 3) == .real(100.1))
    #expect(sum(.real(6.7), .real(6.9)).mean(of: 2) == .real(6.8))
    #expect(sum(.integer(2), .integer(4)).mean(of: 2) == .integer(3))
    #expect(sum(.integer(1), .integer(1), .integer(0)).mean(of: 3) == .real(2.0 / 3))
    #expect(sum(.integer(1), .integer(-1)).mean(of: 2) == .integer(0))
    #expect(sum(.real(1e300), .integer(0)).mean(of: 2) == .real(5e299))
  }

  @Test(arguments: Seeds.named("DECIMAL_SEEDS", otherwise: 1...200))
  func agreesWithFoundation(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var (sum, expected) = (DecimalSum(), Decimal(0))
    let count = 1 + random.below(50)
    for _ in 0..<count {
      let digits = Int64(random.below(1_000_000_000_000)) * (random.below(2) == 0 ? 1 : -1)
      let decimal = Decimal(sign: .plus, exponent: -random.below(10), significand: Decimal(digits))
      let text = decimal.description
      let real = try #require(Double(text))
      sum.add(Int64(text).map(Number.integer) ?? .real(real))
      expected += decimal
    }
    #expect(sum.value.real == Double(expected.description))
    let mean = (expected / Decimal(count)).description
    #expect(sum.mean(of: count).real == Double(mean))
  }
}
