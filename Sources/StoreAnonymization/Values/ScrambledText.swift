/// Replaces letters by letters and digits by digits. A text keeps its length and punctuation, and the case of common
/// Latin, Greek and Cyrillic letters.
///
/// A text's replacement has the same classes of characters at the same positions. Among such texts, the replacement is
/// a permutation, so different texts have different replacements, unless they have more than `permutedLength` letters
/// and digits. The permutation is a Feistel network, as in NIST SP 800-38G. Instead of bits, its halves consist of
/// choices, which are the indexes of the characters in their classes. Each half is shifted by a digest of the other
/// one.
///
/// A permuted text never keeps its value if it has letters or digits: the network is applied, one position of the
/// result is shifted by at least 1, and the inverse network is applied. Only a shift by 0 would have a fixed point.
struct ScrambledText {
  let source: ValueSource

  func scrambled(_ text: String) -> String {
    var scalars = Array(text.unicodeScalars)
    let places = scalars.indices.compactMap { index in
      CharacterClass(of: scalars[index]).map { (index: index, characters: $0) }
    }
    let shape = scalars.map { scalar in
      CharacterClass(of: scalar)?.name ?? scalar.value
    }.flatMap(Self.bytes)
    var choices = places.map { $0.characters.choice(of: scalars[$0.index]) }
    permute(&choices, sizes: places.map(\.characters.count), shape: shape)
    for (place, choice) in zip(places, choices) {
      scalars[place.index] = place.characters.scalar(at: choice)
    }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: scalars)
    return String(result)
  }

  private static let rounds = 6
  /// The maximum number of letters and digits of a text that is permuted. In longer texts, a half would have more
  /// possible values than a digest, so the shifts are drawn from a digest of the whole text.
  private static let permutedLength = 128

  private func permute(_ choices: inout [UInt32], sizes: [UInt32], shape: [UInt8]) {
    guard choices.count <= Self.permutedLength else {
      return shift(
        &choices, choices.indices, sizes, by: source.draw(for: "long", Self.bytes(choices) + shape))
    }
    guard let place = sizes.firstIndex(where: { $0 > 1 }) else { return }
    mix(&choices, sizes, shape)
    var draw = source.draw(for: "turn", shape)
    let distance = 1 + UInt32(draw.number(below: UInt64(sizes[place] - 1)))
    choices[place] = (choices[place] + distance) % sizes[place]
    mix(&choices, sizes, shape, isInverse: true)
  }

  private func mix(
    _ choices: inout [UInt32], _ sizes: [UInt32], _ shape: [UInt8], isInverse: Bool = false
  ) {
    let middle = choices.count / 2
    let halves = [0..<middle, middle..<choices.count]
    let rounds = Array(0..<Self.rounds)
    for round in isInverse ? rounds.reversed() : rounds {
      let (shifted, other) = (halves[round % 2], halves[1 - round % 2])
      let draw = source.draw(
        for: "round \(round)", Self.bytes(Array(choices[other])) + [0xFF] + shape)
      shift(&choices, shifted, sizes, by: draw, isInverse: isInverse)
    }
  }

  /// Adds a number from `draw` to each of the choices at `places`, or subtracts it.
  private func shift(
    _ choices: inout [UInt32], _ places: Range<Int>, _ sizes: [UInt32], by draw: Draw,
    isInverse: Bool = false
  ) {
    var draw = draw
    for index in places {
      let size = UInt64(sizes[index])
      let distance = draw.number(below: size)
      choices[index] = UInt32(
        (UInt64(choices[index]) + (isInverse ? size - distance : distance)) % size)
    }
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func bytes(_ numbers: [UInt32]) -> [UInt8] { numbers.flatMap(bytes) }
}

/// Characters that can replace each other.
private struct CharacterClass {
  /// The ranges in ascending order.
  let ranges: [ClosedRange<UInt32>]

  /// Nil for characters that don't reveal anything and are kept, such as blanks and punctuation.
  init?(of scalar: Unicode.Scalar) {
    let value = scalar.value
    func isIn(_ ranges: [ClosedRange<UInt32>]) -> Bool { ranges.contains { $0.contains(value) } }
    if let script = Self.scripts.first(where: isIn) {
      ranges = script
    } else if isIn(Self.kept) {
      return nil
    } else {
      // For a script that isn't in the table, the characters of a block of 64 code points replace each other. The block
      // of a character doesn't contain surrogates.
      let start = value & ~0x3F
      let taken = Self.scripts.joined() + Self.kept
      ranges = (start...start + 0x3F).filter { place in
        !taken.contains { $0.contains(place) }
      }.map { $0...$0 }
    }
  }

  /// The letters of each case and the digits, by script.
  private static let scripts: [[ClosedRange<UInt32>]] = [
    [0x61...0x7A], [0x41...0x5A], [0x30...0x39],
    // Latin: À to Þ, ß to ÿ, without × and ÷.
    [0xC0...0xD6, 0xD8...0xDE], [0xDF...0xF6, 0xF8...0xFF],
    // Greek, Cyrillic.
    [0x391...0x3A1, 0x3A3...0x3A9], [0x3B1...0x3C9], [0x410...0x42F], [0x430...0x44F],
    // Hebrew, Arabic, Devanagari, Thai.
    [0x5D0...0x5EA], [0x620...0x64A], [0x905...0x939], [0xE01...0xE2E],
    // Hiragana, Katakana, Han, Hangul.
    [0x3041...0x3096], [0x30A1...0x30FA], [0x4E00...0x9FFF], [0xAC00...0xD7A3],
  ]

  /// The rest of ASCII and Latin, general punctuation, and Chinese and Japanese punctuation.
  private static let kept: [ClosedRange<UInt32>] = [
    0...0xBF, 0x2000...0x206F, 0x3000...0x3020,
  ]

  var name: UInt32 { 0x8000_0000 | (ranges.first?.lowerBound ?? 0) }

  var count: UInt32 { ranges.reduce(0) { $0 + UInt32($1.count) } }

  func choice(of scalar: Unicode.Scalar) -> UInt32 {
    var passed: UInt32 = 0
    for range in ranges {
      if range.contains(scalar.value) { return passed + scalar.value - range.lowerBound }
      passed += UInt32(range.count)
    }
    return 0
  }

  func scalar(at choice: UInt32) -> Unicode.Scalar {
    var rest = choice
    for range in ranges {
      if rest < UInt32(range.count) { return Unicode.Scalar(range.lowerBound + rest) ?? "?" }
      rest -= UInt32(range.count)
    }
    return "?"
  }
}
