/// Folds texts that are equal under `[c]` and `[d]` to the same bytes.
///
/// Case is folded as in Unicode ("Straße" and "STRASSE" are equal). Diacritics are removed from Latin, Greek, Cyrillic
/// and Hebrew letters, composed or decomposed. In other scripts, only separate marks are removed, as in Apple's string
/// comparison.
package struct TextFolding: Hashable, Sendable {
  private let table: FoldingTable?

  /// Creates a folding for `options`. `[n]` disables folding, and `[l]` has no effect.
  package init(_ options: FormatComparison.Options) {
    table = FoldingTable.for(options)
  }

  /// Whether folding doesn't change any text.
  package var isIdentity: Bool { table == nil }

  package func fold(_ text: String) -> String {
    String(decoding: folded(text), as: UTF8.self)
  }

  package func folded(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { folded($0) }
  }

  /// Returns the folded form of UTF-8 `bytes`.
  package func folded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    withFolded(bytes) { Array($0) }
  }

  /// Calls `body` with the folded form of UTF-8 `bytes`, which is valid during the call. Temporary memory makes folding
  /// fast enough for millions of rows.
  func withFolded<Result>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    guard let table else { return body(bytes) }
    let capacity = bytes.count * FoldingTable.growth
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { room in
      let count = table.fold(bytes, into: room)
      return body(UnsafeBufferPointer(rebasing: room[..<count]))
    }
  }

  /// Whether folding converts ASCII letters to lower case. Folding has no other effect on ASCII text.
  var foldsASCIICase: Bool { table?.ignoresCase ?? false }

  package static func == (left: TextFolding, right: TextFolding) -> Bool {
    left.table === right.table
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(table.map(ObjectIdentifier.init))
  }
}

/// Decodes UTF-8. SQLite doesn't validate its text, so invalid sequences are expected.
enum UTF8Text {
  /// Returns the scalar at `position` and its length, or U+FFFD and one byte for an invalid sequence.
  static func scalar(
    of bytes: UnsafeBufferPointer<UInt8>, at position: Int
  ) -> (scalar: Unicode.Scalar, width: Int) {
    let lead = bytes[position]
    let width =
      switch lead {
      case 0..<0x80: 1
      case 0xC2..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0..<0xF5: 4
      default: 0
      }
    guard width > 0, position + width <= bytes.count else { return ("\u{FFFD}", 1) }
    var value = UInt32(lead) & (width == 1 ? 0x7F : 0x7F >> UInt32(width))
    for offset in 1..<max(width, 1) {
      let byte = bytes[position + offset]
      guard byte & 0xC0 == 0x80 else { return ("\u{FFFD}", 1) }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    guard let scalar = Unicode.Scalar(value) else { return ("\u{FFFD}", 1) }
    return (scalar, width)
  }

  @inline(__always)
  static func fold(_ byte: UInt8, ignoringCase: Bool) -> UInt8 {
    ignoringCase && byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // The loop doesn't branch, so the compiled code processes 16 bytes at a time.
    var all: UInt8 = 0
    for byte in bytes { all |= byte }
    return all < 0x80
  }
}
