import Foundation
import TestSupport
import Testing

extension SampleFolder {
  /// The ending of a command.
  struct Ending: Equatable {
    var status: Int32
    /// The number of the signal that ended the command, or nil.
    var signal: Int32?
    var errors: String
  }

  /// Runs the program in the folder, and sends it a signal after a duration if it is still running.
  ///
  /// - Parameter environment: additional variables.
  func run(
    _ arguments: [String], sending signal: Int32 = SIGKILL,
    after duration: Duration = .seconds(600),
    environment: [String: String] = [:]
  ) throws -> Ending {
    let process = try start(arguments, environment: environment)
    if process.wait(for: duration) == false {
      kill(process.identifier, signal)
      if process.wait(for: Self.patience) == false {
        Issue.record("signal \(signal) did not end \(arguments)")
        kill(process.identifier, SIGKILL)
      }
    }
    return try process.ending()
  }

  /// The time limit after a signal. Only a command that ignores the signal exceeds it.
  fileprivate static let patience = Duration.seconds(30)

  /// Starts the program in the folder. The caller waits for its end.
  func start(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> RunningCommand {
    try RunningCommand(arguments, in: folder, environment: environment)
  }
}

/// A running command.
final class RunningCommand {
  private let process = Process()
  private let ended = DispatchSemaphore(value: 0)
  private let output: TemporaryFolder

  fileprivate init(
    _ arguments: [String], in folder: TemporaryFolder, environment: [String: String]
  ) throws {
    output = try TemporaryFolder()
    let errors = URL(fileURLWithPath: try output.write("", to: "errors"))
    process.executableURL = BuiltCommand.folder.appendingPathComponent("storetool")
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: errors)
    let ended = ended
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
  }

  var identifier: pid_t { process.processIdentifier }

  /// Returns whether the command ends within a duration.
  func wait(for duration: Duration) -> Bool {
    let (seconds, attoseconds) = duration.components
    let limit = DispatchTime.now() + Double(seconds) + Double(attoseconds) / 1e18
    guard ended.wait(timeout: limit) == .success else { return false }
    ended.signal()
    return true
  }

  /// Waits until the command stops itself.
  ///
  /// - Throws: `NotStopped` if the command ends instead. A command that neither stops nor ends in time is killed.
  func waitUntilStopped(within limit: Duration = SampleFolder.patience) throws {
    let deadline = ContinuousClock.now + limit
    while !isStopped {
      if wait(for: .milliseconds(5)) { throw NotStopped(ending: try ending()) }
      guard ContinuousClock.now < deadline else {
        kill(identifier, SIGKILL)
        throw NotStopped(ending: nil)
      }
    }
  }

  /// Whether a signal has stopped the process. The status stays available to `Process`.
  private var isStopped: Bool {
    var information = siginfo_t()
    let options = WSTOPPED | WNOHANG | WNOWAIT
    return waitid(P_PID, id_t(identifier), &information, options) == 0
      && information.si_signo == SIGCHLD
  }

  struct NotStopped: Error, CustomStringConvertible {
    /// Nil for a command that neither stopped nor ended in time.
    let ending: SampleFolder.Ending?

    var description: String {
      "the command \(ending.map { "ended: \($0)" } ?? "was still running"), and did not stop"
    }
  }

  /// Waits for the end of the command.
  func ending() throws -> SampleFolder.Ending {
    ended.wait()
    let isSignal = process.terminationReason == .uncaughtSignal
    return SampleFolder.Ending(
      status: process.terminationStatus, signal: isSignal ? process.terminationStatus : nil,
      errors: try String(contentsOfFile: output.path("errors"), encoding: .utf8))
  }
}
