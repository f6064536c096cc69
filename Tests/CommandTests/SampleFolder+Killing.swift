import Foundation
import TestSupport

extension SampleFolder {
  /// Runs the tool in the folder and kills it after a while, unless it has ended.
  ///
  /// - Returns: its exit status, or the number of the signal.
  func run(_ arguments: [String], for duration: Duration) throws -> Int32 {
    let process = Process()
    process.executableURL = BuiltCommand.folder.appendingPathComponent("storetool")
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let (seconds, attoseconds) = duration.components
    let limit = DispatchTime.now() + Double(seconds) + Double(attoseconds) / 1e18
    if ended.wait(timeout: limit) == .timedOut {
      kill(process.processIdentifier, SIGKILL)
      ended.wait()
    }
    return process.terminationStatus
  }
}
