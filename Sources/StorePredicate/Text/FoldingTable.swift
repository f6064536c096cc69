/// The folded form of every scalar, looked up for the scripts that have case or diacritics, computed
/// for the rest.
final class FoldingTable: Sendable {
  let ignoresCase: Bool
  private let ignoresDiacritics: Bool
  /// Where the bytes of each scalar below `limit` begin in `bytes`, and one more.
  private let starts: [UInt32]
  private let bytes: [UInt8]

  /// Latin to kana. Making it takes a few milliseconds, once, at the first text beyond ASCII.
  private static let limit: UInt32 = 0x3100

  private static let cases = FoldingTable(ignoresCase: true, ignoresDiacritics: false)
  private static let diacritics = FoldingTable(ignoresCase: false, ignoresDiacritics: true)
  private static let both = FoldingTable(ignoresCase: true, ignoresDiacritics: true)

  /// Nil where nothing is to be ignored.
  static func `for`(_ options: Comparison.Options) -> FoldingTable? {
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

  /// So many times as long as a text its folded form can be: two bytes of Greek become six, and so does
  /// a byte that is not UTF-8 become the three of U+FFFD.
  static let growth = 3

  /// Writes the folded form of UTF-8 `text` into a room `growth` times as long, and returns its length.
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
  /// Chinese characters, Yi and Korean syllables: most text beyond the table.
  fileprivate var hasNeitherCaseNorDiacritics: Bool {
    (0x3100...0xA63F).contains(value) || (0xAC00...0xD7FF).contains(value)
  }

  fileprivate func folded(ignoringCase: Bool, diacritics: Bool) -> [Unicode.Scalar] {
    let letters = diacritics ? withoutDiacritics : [self]
    return ignoringCase ? letters.flatMap(\.caseFolded) : letters
  }

  /// Unicode's full case folding by way of the case mappings, which bring together what has any case
  /// in common. The dotless i is the one letter that they fold further than the standard.
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

  /// The blocks whose characters decompose to a letter that loses its diacritics.
  private var mayHaveDiacritics: Bool {
    switch value {
    case 0xC0..<0x530, 0x1E00..<0x2000, 0x2126...0x212B, 0xFB1D...0xFB4F: true
    default: false
    }
  }

  /// Latin, Greek and Cyrillic, and Hebrew.
  private var losesDiacritics: Bool { value < 0x510 || (0x5D0...0x5EA).contains(value) }
}
