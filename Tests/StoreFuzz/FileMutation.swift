import Foundation
import SeededRandom

/// Changes of a file's bytes.
enum FileMutation {
  /// - Returns: a description of the change.
  static func alterStore(_ path: String, _ random: inout SeededGenerator) throws -> String {
    let file = URL(fileURLWithPath: path)
    var bytes = [UInt8](try Data(contentsOf: file))
    guard bytes.count > 200 else { return "nothing" }
    var done: String
    switch random.below(8) {
    case 0, 1:
      let at = 16 + random.below(84)
      bytes[at] = UInt8(random.below(256))
      done = "header byte \(at) = \(bytes[at])"
    case 2, 3:
      let at = random.below(bytes.count)
      bytes[at] = UInt8(random.below(256))
      done = "byte \(at) = \(bytes[at])"
    case 4:
      let at = random.below(bytes.count / 512) * 512
      let count = 1 + random.below(64)
      bytes.replaceSubrange(at..<min(bytes.count, at + count), with: random.bytes(count))
      done = "\(count) bytes from \(at)"
    case 5:
      bytes.removeLast(1 + random.below(bytes.count - 100))
      done = "only \(bytes.count) bytes"
    case 6:
      let suffix = random.pick(["-wal", "-journal", "-shm"])
      try Data(random.bytes(random.below(3_000))).write(to: URL(fileURLWithPath: path + suffix))
      return "a stray \(suffix)"
    default:
      guard bytes.count >= 4096 else { return "nothing" }
      let page = random.below(bytes.count / 4096)
      let other = random.below(bytes.count / 4096)
      bytes.replaceSubrange(
        page * 4096..<(page + 1) * 4096, with: bytes[other * 4096..<(other + 1) * 4096])
      done = "page \(other) in the place of page \(page)"
    }
    try Data(bytes).write(to: file)
    return done
  }

  /// A model's XML.
  static func alterModel(_ path: String, _ random: inout SeededGenerator) throws -> String {
    let file = URL(fileURLWithPath: path)
    var bytes = [UInt8](try Data(contentsOf: file))
    guard bytes.count > 1 else { return "nothing" }
    let done: String
    switch random.below(9) {
    case 0:
      let at = random.below(bytes.count)
      bytes[at] = UInt8(random.below(256))
      done = "byte \(at) = \(bytes[at])"
    case 1:
      bytes.removeLast(1 + random.below(bytes.count - 1))
      done = "only \(bytes.count) bytes"
    case 2, 3, 4: done = replaceValue(&bytes, &random)
    case 5, 6: done = changeLine(&bytes, &random)
    case 7:
      let at = random.below(bytes.count)
      bytes.insert(contentsOf: random.bytes(1 + random.below(40)), at: at)
      done = "noise at \(at)"
    default:
      let depth = 1 + random.below(400)
      let at = lines(bytes).dropFirst(2).first?.startIndex ?? 0
      let opened = String(repeating: "<entity name=\"A\">", count: depth)
      bytes.insert(contentsOf: Array(opened.utf8), at: at)
      done = "\(depth) entities inside each other"
    }
    try Data(bytes).write(to: file)
    return done
  }

  private static let values = [
    "", "YES", "NO", "Nonsense", "-1", "0", "99999999999999999999", "2.5e400", "$X", "a.b.@count",
    "Item", "Person",
    "Integer 16", "Composite", "SELF == 1 AND (", "&#0;", "&lt;", "\u{202E}", "Z_PK", "name",
    "1 == 1 OR x",
  ]

  private static func replaceValue(_ bytes: inout [UInt8], _ random: inout SeededGenerator)
    -> String
  {
    let quotes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\"") }
    guard quotes.count > 1 else { return "nothing" }
    let first = random.below(quotes.count / 2) * 2
    let value = random.below(30) == 0 ? String(repeating: "x", count: 20_000) : random.pick(values)
    bytes.replaceSubrange(quotes[first] + 1..<quotes[first + 1], with: Array(value.utf8))
    return "the value at \(quotes[first]) = \(value.prefix(30))"
  }

  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
  }

  private static func changeLine(_ bytes: inout [UInt8], _ random: inout SeededGenerator) -> String
  {
    var lines = lines(bytes).map(Array.init)
    guard !lines.isEmpty else { return "nothing" }
    let (at, other) = (random.below(lines.count), random.below(lines.count))
    let done: String
    switch random.below(3) {
    case 0:
      lines.remove(at: at)
      done = "without line \(at + 1)"
    case 1:
      lines.insert(lines[other], at: at)
      done = "line \(other + 1) again before line \(at + 1)"
    default:
      lines.swapAt(at, other)
      done = "lines \(at + 1) and \(other + 1) swapped"
    }
    bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
    return done
  }
}
