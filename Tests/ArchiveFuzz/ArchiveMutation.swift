import SeededRandom

/// Changes the bytes of a binary property list: either anywhere, or so that it remains a property list with other
/// objects.
enum ArchiveMutation {
  static func change(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard bytes.count > 1 else { return }
    switch random.below(8) {
    case 0: bytes[random.below(bytes.count)] = UInt8(random.below(256))
    case 1: bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
    case 2: bytes.removeLast(random.below(bytes.count))
    case 3: doubleRange(of: &bytes, &random)
    case 4, 5: swapObjects(of: &bytes, &random)
    default: changeObject(of: &bytes, &random)
    }
  }

  private static func doubleRange(of bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let start = random.below(bytes.count)
    let end = min(bytes.count, start + 1 + random.below(32))
    bytes.insert(contentsOf: bytes[start..<end], at: start)
  }

  /// Swaps two objects, so that references lead to an object of another class.
  private static func swapObjects(of bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard let table = OffsetTable(of: bytes) else { return }
    let (one, other) = (random.below(table.count), random.below(table.count))
    let (first, second) = (table.range(of: one), table.range(of: other))
    let kept = bytes[first]
    bytes.replaceSubrange(first, with: bytes[second])
    if random.below(2) == 0 { bytes.replaceSubrange(second, with: kept) }
  }

  /// Changes a number, a reference or a letter of one object.
  private static func changeObject(of bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard let table = OffsetTable(of: bytes) else { return }
    let offset = table.offset(of: random.below(table.count), in: bytes)
    let place = offset + random.below(12)
    guard bytes.indices.contains(place) else { return }
    bytes[place] = random.below(3) == 0 ? UInt8(random.below(256)) : bytes[place] &+ 1
  }
}

/// The offsets of the objects of a binary property list. The table precedes the trailer of 32 bytes at the end.
private struct OffsetTable {
  let count: Int
  private let start: Int
  private let width: Int

  /// Nil if the trailer is invalid.
  init?(of bytes: [UInt8]) {
    guard bytes.count > 40 else { return nil }
    let trailer = bytes.count - 32
    let (width, count) = (Int(bytes[trailer + 6]), Self.number(bytes[trailer + 12..<trailer + 16]))
    let start = Self.number(bytes[trailer + 28..<trailer + 32])
    guard (1...8).contains(width), count > 0, start + count * width <= trailer else { return nil }
    (self.count, self.start, self.width) = (count, start, width)
  }

  func range(of object: Int) -> Range<Int> {
    start + object * width..<start + (object + 1) * width
  }

  func offset(of object: Int, in bytes: [UInt8]) -> Int {
    Self.number(bytes[range(of: object)].suffix(4))
  }

  private static func number(_ bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
