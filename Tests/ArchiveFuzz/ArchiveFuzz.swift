import Foundation
import FuzzSupport

/// Searches for a compiled model that the decoder does not survive: `Scripts/fuzz-archives` runs it.
///
/// The same seed gives the same cases in the same order on every machine. A time or a number limits them. The trace
/// file contains the current case, so a case that ends the process is known, too.
@main
struct ArchiveFuzz {
  static func main() {
    let options: Options
    do {
      options = try Options(CommandLine.arguments.dropFirst())
    } catch {
      print(
        "usage: ArchiveFuzz --root FOLDER [--seconds N] [--runs N] [--seed N] [--trace FILE] [--case N]"
      )
      exit(64)
    }
    TimeLimit.start(options.seconds)
    // A quarter of what a main thread has: depth has to be bounded.
    let thread = Thread {
      do {
        exit(try Search(options).run() ? 0 : 1)
      } catch {
        print("the search itself failed: \(error)")
        exit(70)
      }
    }
    thread.stackSize = 2 << 20
    thread.start()
    while true { sleep(3_600) }
  }
}

/// The options of the command line.
struct Options: Sendable {
  /// The repository, for its models.
  let root: String
  let seconds: Double
  let runs: Int
  let seed: UInt64
  let trace: String?
  /// One case instead of a search.
  let onlyCase: Int?

  /// - Throws: `NamedArguments.Misuse`
  init(_ arguments: some Sequence<String>) throws {
    let named = try NamedArguments(
      arguments, known: ["--root", "--seconds", "--runs", "--seed", "--trace", "--case"])
    root = try named.required("--root")
    let runs: Int? = try named.number("--runs")
    self.runs = runs ?? .max
    seconds = try named.number("--seconds") ?? (runs == nil ? 60 : .infinity)
    seed = try named.number("--seed") ?? 1
    trace = named["--trace"]
    onlyCase = try named.number("--case")
  }
}
