import Foundation
import FuzzSupport

/// Searches for text for which the predicate language fails. `Scripts/fuzz` runs this program.
///
/// The same seed generates the same inputs in the same order on every machine. The time limits their number. The trace
/// file contains the current input, so that an input that ends the process is known.
@main
struct PredicateFuzz {
  static func main() throws {
    let options: Options
    do {
      options = try Options(CommandLine.arguments.dropFirst())
    } catch {
      print("usage: PredicateFuzz [--seconds N] [--seed N] [--trace FILE] | --input BASE64")
      exit(64)
    }
    TimeLimit.start(options.seconds)
    // Half of a main thread's stack. A debug build needs most of it, an optimized build a fifth.
    let thread = Thread {
      do {
        let isClean = try run(options)
        exit(isClean ? 0 : 1)
      } catch {
        print("the search itself failed: \(error)")
        exit(70)
      }
    }
    thread.stackSize = 4 << 20
    thread.start()
    while true { sleep(3_600) }
  }

  /// Whether the search has ended without a finding.
  private static func run(_ options: Options) throws -> Bool {
    let examination = try Examination()
    defer { examination.close() }
    if let input = options.input {
      print(input)
      guard let finding = examination.finding(in: input) else {
        print("the input has no finding")
        return true
      }
      print("FOUND \(finding)")
      return false
    }
    return try Search(options, examination).run()
  }
}

/// The options of the command line.
struct Options: Sendable {
  let seconds: Double
  let seed: UInt64
  let trace: String?
  /// A single input to run instead of a search.
  let input: String?

  /// - Throws: `NamedArguments.Misuse`
  init(_ arguments: some Sequence<String>) throws {
    let named = try NamedArguments(
      arguments, known: ["--seconds", "--seed", "--trace", "--input"])
    seconds = try named.number("--seconds") ?? 60
    seed = try named.number("--seed") ?? 1
    trace = named["--trace"]
    input = try named["--input"].map { encoded in
      guard let bytes = Data(base64Encoded: encoded) else { throw NamedArguments.Misuse() }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
