import Foundation
import TestSupport

/// The counts of a process's work with SQLite, with files and with memory.
struct ProcessCost: Equatable {
  /// The counts in the order of the columns.
  var counts: [Int]
  /// The number of memory allocations. It isn't in the ledger, because it depends on the compiler.
  var allocations: Int

  var steps: Int { counts[2] }

  /// - Parameter counts: the counts in the order of the columns, and the number of allocations.
  fileprivate init?(_ counts: [Int]) {
    guard counts.count == Self.columns.count + 1, let last = counts.last else { return nil }
    self.counts = counts.dropLast()
    allocations = last
  }

  static let columns = [
    "prepared", "runs", "steps", "scanned", "sorts", "auto-indexes", "pages read", "pages written",
    "bytes read", "bytes written", "syncs",
  ]

  /// The columns, right-aligned in the width of a line of the ledger.
  static func line(_ cells: [String], _ name: String) -> String {
    let widths = [9, 7, 10, 9, 7, 13, 11, 14, 12, 14, 6]
    let padded = zip(cells, widths).map {
      String(repeating: " ", count: max(1, $1 - $0.count)) + $0
    }
    return padded.joined() + "  " + name
  }
}

/// A library that counts what commands do with SQLite, with files and with memory. It is loaded into each process of a
/// command with LD_PRELOAD. It hides SQLite's functions that prepare and finalize statements, and the system's
/// functions that read, write and sync files and that allocate memory.
struct CostProbe {
  enum ProbeError: Error {
    case notCompiled(String)
    case failed(String, status: Int32, String)
    case noCounts(String)
  }

  /// The ledger requires Linux: macOS has no LD_PRELOAD.
  static let isAvailable: Bool = {
    #if os(Linux)
      true
    #else
      false
    #endif
  }()

  let environment: [String: String]
  private let counts: String

  /// Compiles the library into a folder.
  init(in folder: TemporaryFolder) throws {
    let library = folder.path("CostProbe.so")
    counts = folder.path("counts")
    environment = ["PROBE": library, "COST_PROBE": counts]
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("CostProbe.c")
    let result = try BuiltCommand(in: folder.url).run(
      "clang -O1 -Wall -Wextra -Werror -shared -fPIC '\(source.path)' -o '\(library)' -ldl")
    guard result.status == 0 else { throw ProbeError.notCompiled(result.errors) }
  }

  /// Runs a command in a shell, and returns the sum of the counts of its processes. The shell isn't counted.
  func cost(of command: String, in shell: BuiltCommand) throws -> ProcessCost {
    try? FileManager.default.removeItem(atPath: counts)
    let line = "LD_PRELOAD=$PROBE \(command)"
    let result = try shell.run(line)
    guard [0, 1].contains(result.status) else {
      throw ProbeError.failed(line, status: result.status, result.errors)
    }
    let processes = try String(contentsOfFile: counts, encoding: .utf8)
      .split(separator: "\n").map { ProcessCost($0.split(separator: " ").compactMap { Int($0) }) }
    guard let first = processes.first.flatMap(\.self) else { throw ProbeError.noCounts(line) }
    return try processes.dropFirst().reduce(into: first) { sum, process in
      guard let process else { throw ProbeError.noCounts(line) }
      sum.counts = zip(sum.counts, process.counts).map(+)
      sum.allocations += process.allocations
    }
  }
}
