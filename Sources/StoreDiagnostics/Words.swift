extension String {
  /// Returns the word after a number: `row` for one, otherwise `rows`.
  package func plural(_ count: some BinaryInteger) -> String { count == 1 ? self : self + "s" }

  /// The word with its article: `a Date`, `an Integer 64`, `a UUID`, `an NSUUID`. It is correct for names of types.
  package var withArticle: String {
    let vowels: Set<Character> = ["A", "E", "I", "O", "a", "e", "i", "o"]
    let beginsWithVowel = hasPrefix("NS") || first.map(vowels.contains) == true
    return (beginsWithVowel ? "an " : "a ") + self
  }
}

/// Numbers of bytes for people.
package enum ByteCount {
  /// Returns text such as `812 bytes` or `4.2 MB`.
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

extension StringProtocol {
  /// Returns the parts before and after the first occurrence of a scalar, or nil without one.
  ///
  /// `split` and `firstIndex(of:)` compare characters, and `=` with a combining mark after it is another character.
  package func split(atFirst separator: Unicode.Scalar) -> (before: String, after: String)? {
    unicodeScalars.firstIndex(of: separator).map { index in
      (String(self[..<index]), String(self[unicodeScalars.index(after: index)...]))
    }
  }
}
