/// Makes texts that `[c]` and `[d]` hold for equal the same bytes.
///
/// Case is folded as Unicode does ("Straße" and "STRASSE" are equal). Diacritics fall off letters of the
/// Latin, Greek, Cyrillic and Hebrew scripts, composed or not; in other scripts only marks that stand
/// alone do, as in Apple's string comparison.
package struct TextFolding: Hashable, Sendable {
  private let table: FoldingTable?

  /// What `options` ask to be ignored; `[n]` asks for nothing, `[l]` adds nothing.
  package init(_ options: Comparison.Options) {
    table = FoldingTable.for(options)
  }

  /// Whether text stays as it is.
  package var isIdentity: Bool { table == nil }

  package func fold(_ text: String) -> String {
    String(decoding: folded(text), as: UTF8.self)
  }

  package func folded(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { folded($0) }
  }

  /// The folded form of UTF-8 `bytes`.
  package func folded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    withFolded(bytes) { Array($0) }
  }

  /// Hands the folded form of UTF-8 `bytes` to `body`, in memory that lasts as long as the call: rows are folded
  /// a million times over.
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

  /// Whether ASCII letters lose their case: all that folding does to ASCII.
  var foldsASCIICase: Bool { table?.ignoresCase ?? false }

  package static func == (left: TextFolding, right: TextFolding) -> Bool {
    left.table === right.table
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(table.map(ObjectIdentifier.init))
  }
}

/// Bytes of UTF-8 as scalars. SQLite does not check its text, so broken sequences are expected.
enum UTF8Text {
  /// The scalar at `position`, and its length; U+FFFD and one byte where there is none.
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

  /// One ASCII byte of folded text.
  @inline(__always)
  static func fold(_ byte: UInt8, ignoringCase: Bool) -> UInt8 {
    ignoringCase && byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // A sum of bits has no branch, so that the loop is done 16 bytes at a time.
    var all: UInt8 = 0
    for byte in bytes { all |= byte }
    return all < 0x80
  }
}
