import SeededRandom

/// Creates new texts from others: bytes and words of the grammar are inserted, removed, repeated, swapped and wrapped,
/// and halves of two texts are joined.
struct TextMutation {
  private var random: SeededGenerator
  /// The inputs of mutations: the seeds, then predicates that were derived from them.
  private var pool = Grammar.seeds + Grammar.comparisons

  private static let poolLimit = 600
  private static let lengthLimit = 400

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func next() -> String {
    if random.below(40) == 0 { return noise() }
    var bytes = Array(random.pick(pool).utf8)
    for _ in 0...random.below(5) { mutate(&bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Adds a predicate that was parsed, so that it is mutated further.
  mutating func keep(_ text: String) {
    guard text.utf8.count <= Self.lengthLimit else { return }
    if pool.count < Self.poolLimit {
      pool.append(text)
    } else if random.below(8) == 0 {
      // The seeds are always kept.
      let fixed = Grammar.seeds.count + Grammar.comparisons.count
      pool[fixed + random.below(Self.poolLimit - fixed)] = text
    }
  }

  private mutating func mutate(_ bytes: inout [UInt8]) {
    let place = random.below(bytes.count + 1)
    let end = min(bytes.count, place + random.below(16))
    switch random.below(10) {
    case 0: bytes.removeSubrange(place..<end)
    case 1: bytes.insert(UInt8(random.below(256)), at: place)
    case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 3, 4, 5:
      bytes.insert(contentsOf: Array((" " + random.pick(Grammar.words) + " ").utf8), at: place)
    case 6: bytes.replaceSubrange(place..<end, with: Array(random.pick(Grammar.words).utf8))
    case 7:
      let other = Array(random.pick(pool).utf8)
      bytes.replaceSubrange(place..., with: other[random.below(other.count + 1)...])
    case 8: wrap(&bytes)
    default:
      guard place < bytes.count, end < bytes.count else { return }
      bytes.swapAt(place, end)
    }
  }

  /// Wraps the whole text, or a part between spaces, in a construct, sometimes many times.
  private mutating func wrap(_ bytes: inout [UInt8]) {
    let (opening, closing) = random.pick(Grammar.wrappers)
    let depth = random.below(12) == 0 ? 1 + random.below(200) : 1
    let blanks = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: " ") } + [bytes.count]
    let (first, second) = (random.pick(blanks), random.pick(blanks))
    let range = min(first, second)..<max(first, second)
    let opened = String(repeating: opening, count: depth)
    let closed = String(repeating: closing, count: depth)
    bytes.replaceSubrange(range, with: Array(opened.utf8) + bytes[range] + Array(closed.utf8))
  }

  private mutating func noise() -> String {
    let bytes = (0..<random.below(60)).map { _ in UInt8(random.below(256)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
