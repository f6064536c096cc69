import Foundation

/// Searches for text that the predicate language does not survive: `Scripts/fuzz` runs it.
///
/// The same seed gives the same inputs in the same order on every machine; how many of them, the
/// time decides. The input that is being looked at stands in the trace file, so that one which ends
/// the process is known too.
@main
struct PredicateFuzz {
  static func main() throws {
    guard let options = Options(CommandLine.arguments.dropFirst()) else {
      print("usage: PredicateFuzz [--seconds N] [--seed N] [--trace FILE] | --input BASE64")
      exit(64)
    }
    // Half of what a main thread has: a debug build needs most of it, an optimised one a fifth.
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

  /// Whether nothing was found.
  private static func run(_ options: Options) throws -> Bool {
    let examination = try Examination()
    defer { examination.close() }
    if let input = options.input {
      print(input)
      guard let finding = examination.finding(in: input) else {
        print("nothing is wrong with it")
        return true
      }
      print("FOUND \(finding)")
      return false
    }
    return try Search(options, examination).run()
  }
}

/// What the command line says.
struct Options: Sendable {
  var seconds = 60.0
  var seed: UInt64 = 1
  var trace: String?
  /// One input instead of a search.
  var input: String?

  /// Nil when the arguments make no sense.
  init?(_ arguments: some Sequence<String>) {
    var rest = Array(arguments)[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { return nil }
      switch name {
      case "--seconds":
        guard let number = Double(value) else { return nil }
        seconds = number
      case "--seed":
        guard let number = UInt64(value) else { return nil }
        seed = number
      case "--trace": trace = value
      case "--input":
        guard let bytes = Data(base64Encoded: value) else { return nil }
        input = String(decoding: bytes, as: UTF8.self)
      default: return nil
      }
    }
  }
}
