extension String {
  /// Returns this noun in the form for a count: `row` for 1, otherwise `rows`.
  package func plural(_ count: some BinaryInteger) -> String { count == 1 ? self : self + "s" }

  /// The name of a type with its article: `a Date`, `an Integer 64`, `a UUID`, `an NSUUID`.
  package var withArticle: String {
    let vowels: Set<Character> = ["A", "E", "I", "O", "a", "e", "i", "o"]
    let beginsWithVowel = hasPrefix("NS") || first.map(vowels.contains) == true
    return (beginsWithVowel ? "an " : "a ") + self
  }
}

/// Sizes as text for people.
package enum ByteCount {
  /// Returns the size as text, such as `812 bytes` or `4.2 MB`. A kB has 1,000 bytes.
  package static func text(_ bytes: Int64) -> String {
    let units = ["kB", "MB", "GB", "TB"]
    guard bytes >= 1000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    var (amount, unit) = (Double(bytes) / 1000, 0)
    while amount >= 999.95, unit < units.count - 1 { (amount, unit) = (amount / 1000, unit + 1) }
    let tenths = Int64((amount * 10).rounded())
    return tenths >= 1000 || tenths % 10 == 0
      ? "\(tenths / 10) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}

extension [UInt8] {
  /// The bytes as lower-case hexadecimal digits.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(count * 2)
    for byte in self { result += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: result, as: UTF8.self)
  }
}

extension StringProtocol {
  /// Returns the parts before and after the first occurrence of a scalar, or nil if the text doesn't contain it.
  ///
  /// `split` and `firstIndex(of:)` compare characters, so they would skip a `=` that a combining mark follows.
  package func split(atFirst separator: Unicode.Scalar) -> (before: String, after: String)? {
    unicodeScalars.firstIndex(of: separator).map { index in
      (String(self[..<index]), String(self[unicodeScalars.index(after: index)...]))
    }
  }

  /// Returns the text without spaces at its ends.
  package func trimmingSpaces() -> String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
