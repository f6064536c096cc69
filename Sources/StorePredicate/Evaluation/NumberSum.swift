/// A sum that does not depend on the order of its integers: they are added exactly, and only a sum that
/// 64 bits cannot hold becomes real.
package struct NumberSum: Sendable {
  private var integers: Int64 = 0
  /// How often the integers ran over their 64 bits, upwards less downwards.
  private var wraps: Int64 = 0
  private var reals = 0.0
  private var hasReals = false

  package init() {}

  package mutating func add(_ integer: Int64) {
    let (sum, overflow) = integers.addingReportingOverflow(integer)
    integers = sum
    if overflow { wraps += integer < 0 ? -1 : 1 }
  }

  package mutating func add(_ real: Double) {
    reals += real
    hasReals = true
  }

  package mutating func add(_ number: Number) {
    switch number {
    case .integer(let integer): add(integer)
    case .real(let real): add(real)
    }
  }

  package var value: Number {
    guard hasReals || wraps != 0 else { return .integer(integers) }
    return .real(Double(integers) + Double(wraps) * 0x1p64 + reals)
  }
}
