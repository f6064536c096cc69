/// The bytes of which a hash is taken: little-endian integers, UTF-8 text without terminator.
struct HashInput {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ text: String) { bytes += text.utf8 }

  mutating func append(_ hash: [UInt8]) { bytes += hash }

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  /// The order of names in a hash: code point by code point.
  static func isInOrder(_ a: String, _ b: String) -> Bool {
    a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
  }
}
