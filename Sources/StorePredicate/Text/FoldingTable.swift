/// A table with the folded form of each scalar below `limit`: without case, without diacritics, or without both. The
/// table includes most letters with case or diacritics. Other scalars are folded whenever they occur in a text.
final class FoldingTable: Sendable {
  let ignoresCase: Bool
  private let ignoresDiacritics: Bool
  /// The offset in `bytes` at which the folded form of each scalar begins, and the end of `bytes`.
  private let starts: [UInt32]
  private let bytes: [UInt8]

  /// The first scalar after kana, which a table doesn't contain. Creating a table takes a few milliseconds, once for
  /// each combination of options.
  private static let limit: UInt32 = 0x3100

  private static let cases = FoldingTable(ignoresCase: true, ignoresDiacritics: false)
  private static let diacritics = FoldingTable(ignoresCase: false, ignoresDiacritics: true)
  private static let both = FoldingTable(ignoresCase: true, ignoresDiacritics: true)

  /// Returns the table for `options`, or nil if they don't ignore anything.
  static func `for`(_ options: FormatComparison.Options) -> FoldingTable? {
    guard !options.contains(.normalized) else { return nil }
    switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
    case (true, true): return both
    case (true, false): return cases
    case (false, true): return diacritics
    case (false, false): return nil
    }
  }

  private init(ignoresCase: Bool, ignoresDiacritics: Bool) {
    self.ignoresCase = ignoresCase
    self.ignoresDiacritics = ignoresDiacritics
    var starts: [UInt32] = []
    var bytes: [UInt8] = []
    for value in 0..<Self.limit {
      starts.append(UInt32(bytes.count))
      guard let scalar = Unicode.Scalar(value) else { continue }
      for folded in scalar.folded(ignoringCase: ignoresCase, diacritics: ignoresDiacritics) {
        bytes += folded.utf8
      }
    }
    starts.append(UInt32(bytes.count))
    self.starts = starts
    self.bytes = bytes
  }

  /// The maximum ratio of the length of folded text to the length of the original text, in bytes. Two bytes of Greek
  /// can become six, and an invalid byte becomes the three bytes of U+FFFD.
  static let growth = 3

  /// Writes the folded form of UTF-8 `text` into a buffer that is `growth` times as long, and returns its length.
  func fold(
    _ text: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var position = 0
    var end = 0
    func write(_ byte: UInt8) {
      room[end] = byte
      end += 1
    }
    while position < text.count {
      let byte = text[position]
      if byte < 0x80 {
        write(UTF8Text.fold(byte, ignoringCase: ignoresCase))
        position += 1
        continue
      }
      let (scalar, width) = UTF8Text.scalar(of: text, at: position)
      if scalar.value < Self.limit {
        let index = Int(scalar.value)
        for place in Int(starts[index])..<Int(starts[index + 1]) { write(bytes[place]) }
      } else if scalar.hasNeitherCaseNorDiacritics {
        for offset in 0..<width { write(text[position + offset]) }
      } else {
        for folded in scalar.folded(ignoringCase: ignoresCase, diacritics: ignoresDiacritics) {
          folded.utf8.forEach(write)
        }
      }
      position += width
    }
    return end
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is in a range of Chinese characters, Yi and similar scripts, or of Korean syllables. These are
  /// the most common scalars that the table doesn't contain.
  fileprivate var hasNeitherCaseNorDiacritics: Bool {
    (0x3100...0xA63F).contains(value) || (0xAC00...0xD7FF).contains(value)
  }

  fileprivate func folded(ignoringCase: Bool, diacritics: Bool) -> [Unicode.Scalar] {
    let letters = diacritics ? withoutDiacritics : [self]
    return ignoringCase ? letters.flatMap(\.caseFolded) : letters
  }

  /// The scalars of Unicode's full case folding. They are computed from case mappings, except for a dotless i, whose
  /// uppercase is the same as that of i.
  private var caseFolded: [Unicode.Scalar] {
    guard self != "\u{131}" else { return [self] }
    return properties.lowercaseMapping.unicodeScalars
      .flatMap(\.properties.uppercaseMapping.unicodeScalars)
      .flatMap(\.properties.lowercaseMapping.unicodeScalars)
  }

  private var withoutDiacritics: [Unicode.Scalar] {
    guard properties.generalCategory != .nonspacingMark else { return [] }
    guard mayHaveDiacritics else { return [self] }
    let parts = canonicalDecomposition
    guard let base = parts.first, base.losesDiacritics else { return [self] }
    return parts.filter { $0.properties.generalCategory != .nonspacingMark }
  }

  /// Whether the scalar is in a block with characters whose base letter loses its diacritics.
  private var mayHaveDiacritics: Bool {
    switch value {
    case 0xC0..<0x530, 0x1E00..<0x2000, 0x2126...0x212B, 0xFB1D...0xFB4F: true
    default: false
    }
  }

  /// Whether diacritics are removed from this base letter, because it is Latin, Greek, Cyrillic or Hebrew.
  private var losesDiacritics: Bool { value < 0x510 || (0x5D0...0x5EA).contains(value) }
}
