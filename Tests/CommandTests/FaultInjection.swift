import Foundation
import TestSupport

/// A fault at one of the system calls of a command. A preloaded library causes it.
struct FaultInjection {
  enum Counted: String {
    /// Calls that change files: writes, syncs, and creating or removing names.
    case files
    /// Preparing a statement that writes.
    case statements
    /// Installing a signal handler.
    case handlers
  }

  enum Action: String {
    case kill
    /// The command receives SIGINT and continues.
    case interrupt
    /// The command is killed in the middle of a write.
    case tear
    /// The command is stopped until it receives SIGCONT.
    case stop
    /// The disk is full from this call on.
    case full
    /// Raises the signal whose handler has just been installed. Memory that the handler allocates ends the process.
    case raise
  }

  var counted: Counted
  /// The number of the call, starting at 1.
  var call: Int
  var action: Action

  static let isAvailable = library != nil

  var environment: [String: String] {
    Self.environment(counted, ["FAULT_AT": "\(call)", "FAULT_ACTION": action.rawValue])
  }

  /// Returns the environment of a run that writes the number of its calls to a file.
  static func counting(_ counted: Counted, into path: String) -> [String: String] {
    environment(counted, ["FAULT_TOTAL": path])
  }

  private static func environment(
    _ counted: Counted, _ more: [String: String]
  ) -> [String: String] {
    more.merging([
      "LD_PRELOAD": library?.path("faults.so") ?? "", "FAULT_COUNTED": counted.rawValue,
    ]) { $1 }
  }

  /// The folder with the library, or nil if the library can't be built.
  private static let library: TemporaryFolder? = {
    #if os(Linux)
      guard let folder = try? TemporaryFolder() else { return nil }
      let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Faults/faults.c")
      let line =
        "$(command -v clang || command -v cc) -shared -fPIC -O1 -o faults.so '\(source.path)'"
      let made = try? BuiltCommand(in: folder.url).run(line)
      return made?.status == 0 ? folder : nil
    #else
      return nil
    #endif
  }()
}
