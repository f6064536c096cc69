import Foundation

/// Searches for a compiled model that the decoder does not survive: `Scripts/fuzz-archives` runs it.
///
/// The same seed gives the same cases in the same order on every machine; how many of them, the time or a number
/// decides. The case that is being looked at stands in the trace file, so that one which ends the process is known too.
@main
struct ArchiveFuzz {
  static func main() {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      print(
        "usage: ArchiveFuzz --root FOLDER [--seconds N] [--runs N] [--seed N] [--trace FILE] [--case N]"
      )
      exit(64)
    }
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

/// What the command line says.
struct Options: Sendable {
  /// The repository, for its models.
  var root = ""
  var seconds = Double.infinity
  var runs = Int.max
  var seed: UInt64 = 1
  var trace: String?
  /// One case instead of a search.
  var onlyCase: Int?

  /// Nil when the arguments make no sense.
  init?(_ arguments: some Sequence<String>) {
    var rest = Array(arguments)[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch name {
      case "--root": root = value
      case "--seconds":
        guard let number = Double(value) else { return nil }
        seconds = number
      case "--runs":
        guard let number = Int(value) else { return nil }
        runs = number
      case "--seed":
        guard let number = UInt64(value) else { return nil }
        seed = number
      case "--trace": trace = value
      case "--case":
        guard let number = Int(value) else { return nil }
        onlyCase = number
      default: return nil
      }
    }
    guard !root.isEmpty else { return nil }
    if seconds == .infinity, runs == .max { seconds = 60 }
  }
}
