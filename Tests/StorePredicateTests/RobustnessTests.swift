import Foundation
import SeededRandom
import StoreDiagnostics
import StorePredicate
import Testing

/// The parser returns a result or an error for any bytes, quickly and with a small stack.
struct RobustnessTests {
  private static let seeds = [
    "a == 1 OR (b ==[cd] 'x' AND NOT c IN {1, 2.5, nil}) && ANY d.e BETWEEN {$x, -1}",
    "SUBQUERY(a.b, $x, $x.c[FIRST] LIKE 'y*' OR sum:($x.@max.d) > 0x1F).@count != 0",
    "TERNARY(a == YES, CAST(5, 'NSDate'), FUNCTION(self, 'f:', b ** 2)) < now() UNION c",
  ]

  /// Random edits of real texts: bytes are deleted, repeated, swapped and inserted.
  @Test(arguments: Array(UInt64(1)...4))
  func mutationsNeverCrash(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3_000 {
      var bytes = Array((Self.seeds.randomElement(using: &random) ?? "").utf8)
      for _ in 0...Int.random(in: 0..<6, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes.remove(at: index)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
        case 2:
          bytes[index] =
            Array("()[]{}'\"$@%#.,:&|!=<>-+*\\".utf8).randomElement(using: &random) ?? 0
        case 3: bytes.swapAt(index, Int.random(in: bytes.indices, using: &random))
        default: bytes.insert(contentsOf: bytes[index...].prefix(12), at: index)
        }
      }
      check(String(decoding: bytes, as: UTF8.self), seed)
    }
  }

  @Test func randomBytesNeverCrash() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<3_000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      check(String(decoding: bytes, as: UTF8.self), 9)
    }
  }

  /// A parsed predicate is printed and parsed again. An error has a range inside the text.
  private func check(_ text: String, _ seed: UInt64) {
    do {
      let predicate = try FormatPredicate(parsing: text)
      let back = try? FormatPredicate(parsing: predicate.format)
      #expect(back == predicate, "seed \(seed): \(text)")
    } catch {
      #expect(error.range.upperBound <= text.utf8.count, "seed \(seed): \(text)")
      _ = DiagnosticRenderer().render(error.diagnostic(in: PredicateText(text)))
    }
  }

  /// Parsing parentheses twice would take exponential time, and unlimited depth would overflow the stack.
  @Test(arguments: [
    ("(", "a == 1", ")"), ("(", "a", ")"), ("NOT ", "a == 1", ""), ("!", "a", ""), ("-", "a", ""),
    ("{", "1", "}"), ("a[", "1", "]"), ("sum(", "a", ")"), ("SUBQUERY(a, $x, ", "a == 1", ")"),
    ("TERNARY(", "a == 1", ", 1, 2) == 1"), ("CAST(", "1", ", 'NSDate')"), ("((", "a", "+1) == 1)"),
    ("", "a", " + a"), ("", "a", "[0]"), ("", "a", "[0].b"), ("", "a", ".b"), ("", "a", " UNION a"),
    ("", "a == 1", " AND a == 1"), ("", "{1", ", 1"), ("FUNCTION(", "a", ", 'b')"),
  ])
  func anyDepthIsAnswered(opening: String, middle: String, closing: String) throws {
    for depth in [10, 78, 79, 80, 81, 5_000] {
      let text =
        String(repeating: opening, count: depth) + middle + String(repeating: closing, count: depth)
      try onSmallStack {
        for suffix in ["", " == 1"] {
          guard let predicate = try? FormatPredicate(parsing: text + suffix) else { continue }
          #expect((try? FormatPredicate(parsing: predicate.format)) == predicate)
          _ = predicate.variables
        }
      }
    }
  }

  /// Half of a main thread's stack. A debug build needs most of it, an optimized build a fifth.
  private func onSmallStack(_ body: @escaping @Sendable () -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      body()
      done.signal()
    }
    thread.stackSize = 4 * 1024 * 1024
    thread.start()
    done.wait()
  }

  @Test func longListsAreFine() throws {
    let list = (0..<50_000).map(String.init).joined(separator: ", ")
    guard case .comparison(let comparison) = try FormatPredicate(parsing: "a IN {\(list)}"),
      case .list(let members) = comparison.right.kind
    else {
      Issue.record("no list")
      return
    }
    #expect(members.count == 50_000)
  }
}
