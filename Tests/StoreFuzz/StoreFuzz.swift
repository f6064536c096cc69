import Foundation

/// Alters stores and models as accidents and hands do, and runs the commands of storetool on them: `Scripts/mutate`
/// runs it.
///
/// The same seed gives the same cases in the same order on every machine; how many of them, the time or a number decides.
@main
struct StoreFuzz {
  static func main() {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
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

/// What the command line says.
struct Options: Sendable {
  var binary = ""
  /// The repository.
  var root = ""
  /// For the stores that are made.
  var folder = ""
  var seconds = Double.infinity
  var runs = Int.max
  var seed: UInt64 = 1
  /// One case instead of a search.
  var onlyCase: Int?

  /// Nil when the arguments make no sense.
  init?(_ arguments: some Sequence<String>) {
    var rest = Array(arguments)[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch name {
      case "--binary": binary = value
      case "--root": root = value
      case "--folder": folder = value
      case "--seconds":
        guard let number = Double(value) else { return nil }
        seconds = number
      case "--runs":
        guard let number = Int(value) else { return nil }
        runs = number
      case "--seed":
        guard let number = UInt64(value) else { return nil }
        seed = number
      case "--case":
        guard let number = Int(value) else { return nil }
        onlyCase = number
      default: return nil
      }
    }
    guard ![binary, root, folder].contains("") else { return nil }
    if seconds == .infinity, runs == .max { seconds = 60 }
  }
}
