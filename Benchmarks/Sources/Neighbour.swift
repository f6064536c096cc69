import Foundation
import GRDB

/// Another process that uses the store through SQLite, and measures each of its operations.
struct Neighbour {
  enum Work: String {
    /// Commits one changed row.
    case write
    /// Reads one row.
    case read
  }

  static let command = "neighbour"
  private let process = Process()
  private let output = Pipe()

  /// Starts the process.
  ///
  /// - Parameter seconds: The duration of its work.
  init(_ work: Work, on path: String, seconds: Double) throws {
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [Self.command, work.rawValue, path, "\(seconds)"]
    process.standardOutput = output
    try process.run()
  }

  /// Waits for the end of the process, and returns its measurements.
  func samples() async throws -> Samples {
    let output = output.fileHandleForReading
    let text = await Task.detached { String(decoding: output.readDataToEndOfFile(), as: UTF8.self) }
      .value
    process.waitUntilExit()
    precondition(process.terminationStatus == 0, "the other process failed")
    var samples = Samples()
    for line in text.split(separator: "\n") { samples.append(Double(line) ?? 0) }
    return samples
  }

  /// The main function of the other process.
  static func main(_ arguments: [String]) throws {
    guard arguments.count == 3, let work = Work(rawValue: arguments[0]),
      let seconds = Double(arguments[2])
    else { exit(64) }
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    // Commits don't wait for the disk, because the wait would hide the cost of a stream.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    let queue = try DatabaseQueue(path: arguments[1], configuration: configuration)
    let count = try queue.read { try Int64.fetchOne($0, sql: "SELECT max(Z_PK) FROM ZERRAND") ?? 1 }
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    var random = SystemRandomNumberGenerator()
    var lines = ""
    while clock.now < end {
      let key = Int64.random(in: 1...count, using: &random)
      let start = clock.now
      switch work {
      case .write:
        try queue.write {
          try $0.execute(
            sql: "UPDATE ZERRAND SET ZPRIORITY = 1 - ZPRIORITY, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?",
            arguments: [key])
        }
      case .read:
        _ = try queue.read {
          try Row.fetchOne($0, sql: "SELECT * FROM ZERRAND WHERE Z_PK = ?", arguments: [key])
        }
      }
      lines += "\((clock.now - start).inMilliseconds)\n"
    }
    print(lines, terminator: "")
  }
}
