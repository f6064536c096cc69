import Foundation

/// Measures the engine's Swift interface. See README.md.
@main
struct EngineBenchmarks {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "decode": try await Decoding.run(rows(arguments, default: 1_000_000))
    case "readers": try await SharedReading.run(rows(arguments, default: 100_000))
    case "shared": try await SharedUse.run(.seconds(rows(arguments, default: 60)))
    case "live": try await LiveLists.run(rows(arguments, default: 100_000))
    case "relations": try await Relationships.run(rows(arguments, default: 100_000))
    case "stream": try await Streaming.run(rows(arguments, default: 1_000_000))
    case "writes": try await SmallWrites.run(rows(arguments, default: 1_000_000))
    case Neighbour.command: try Neighbour.main(Array(arguments.dropFirst()))
    default:
      print("usage: EngineBenchmarks decode|live|readers|relations|stream|writes [ROWS]")
      print("       EngineBenchmarks shared [SECONDS]")
      exit(64)
    }
  }

  private static func rows(_ arguments: ArraySlice<String>, default rows: Int) -> Int {
    arguments.dropFirst().first.flatMap { Int($0) } ?? rows
  }
}
