import Foundation
import FuzzSupport

/// Searches for a compiled model for which the decoder fails. `Scripts/fuzz-archives` runs this program.
///
/// The same seed generates the same cases in the same order on every machine. A time or a number limits the search. The
/// trace file contains the current case, so that a case that ends the process is known.
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
    // A quarter of a main thread's stack, because the depth of the decoder must be limited.
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
  /// The repository, which contains the models.
  let root: String
  let seconds: Double
  let runs: Int
  let seed: UInt64
  let trace: String?
  /// A single case to run instead of a search.
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
