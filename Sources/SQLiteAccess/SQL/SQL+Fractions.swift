extension SQL {
  /// The same with fractions as sums of whole numbers and powers of two, where SQLite could read their digits as another
  /// number: it loses the last bit of some that have more than 15.
  ///
  ///     0.30000000000000004 → (CAST(5404319552844596 AS REAL) / 18014398509481984.0)
  package var withExactFractions: SQL {
    // A definition takes no expression.
    guard let word = tokens.first(where: { $0.kind != .blank }),
      !word.isWord("CREATE"), !word.isWord("ALTER")
    else { return self }
    return SQL(
      segments: segments.flatMap { segment -> [Segment] in
        guard case .value(.real(let number)) = segment, number.losesDigits else { return [segment] }
        return number.product.segments
      })
  }
}

extension Double {
  fileprivate var losesDigits: Bool {
    guard isFinite, self != 0, self != .greatestFiniteMagnitude else { return false }
    let digits = description.prefix { $0 != "e" }.count { $0.isNumber }
    return digits > 15 || !(1e-22...1e22).contains(magnitude)
  }

  /// Its 53 bits, and what they are multiplied with or divided by: SQLite computes with both exactly.
  fileprivate var product: SQL {
    let bits = Int64(significand * 0x1p52) * (sign == .minus ? -1 : 1)
    let exponent = Int(self.exponent) - 52
    let (count, rest) = exponent.magnitude.quotientAndRemainder(dividingBy: 52)
    let powers = Array(repeating: 0x1p52, count: Int(count)) + [Double(UInt64(1) << rest)]
    var product: SQL = "(CAST(\(value: .integer(bits)) AS REAL)"
    for power in powers where power != 1 {
      product += exponent < 0 ? " / " : " * "
      product += SQL.value(.real(power))
    }
    return product + ")"
  }
}
