import Foundation
import FuzzSupport

/// Alters stores and models like accidents and manual edits do, and runs the commands of storetool on them.
/// `Scripts/mutate` runs this program.
///
/// The same seed generates the same cases in the same order on every machine. A time or a number limits the search.
@main
struct StoreFuzz {
  static func main() {
    let options: Options
    do {
      options = try Options(CommandLine.arguments.dropFirst())
    } catch {
      print(
        "usage: StoreFuzz --binary FILE --root FOLDER --folder FOLDER [--seconds N] [--runs N] [--seed N] [--case N]"
      )
      exit(64)
    }
    do {
      exit(try Search(options).run() ? 0 : 1)
    } catch {
      print("the search itself failed: \(error)")
      exit(70)
    }
  }
}

/// The options of the command line.
struct Options: Sendable {
  let binary: String
  /// The repository.
  let root: String
  /// The folder for the created stores.
  let folder: String
  let seconds: Double
  let runs: Int
  let seed: UInt64
  /// A single case to run instead of a search.
  let onlyCase: Int?

  /// - Throws: `NamedArguments.Misuse`
  init(_ arguments: some Sequence<String>) throws {
    let named = try NamedArguments(
      arguments,
      known: ["--binary", "--root", "--folder", "--seconds", "--runs", "--seed", "--case"])
    binary = try named.required("--binary")
    root = try named.required("--root")
    folder = try named.required("--folder")
    let runs: Int? = try named.number("--runs")
    self.runs = runs ?? .max
    seconds = try named.number("--seconds") ?? (runs == nil ? 60 : .infinity)
    seed = try named.number("--seed") ?? 1
    onlyCase = try named.number("--case")
  }
}
