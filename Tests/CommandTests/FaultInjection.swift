import Foundation
import TestSupport

/// A fault at one of a command's system calls. A preloaded library causes it.
struct FaultInjection {
  enum Counted: String {
    /// Calls that change files: writes, syncs, names made and removed.
    case files
    /// Prepared statements that write.
    case statements
    /// Handlers of signals that are installed.
    case handlers
  }

  enum Action: String {
    case kill
    /// It gets SIGINT, and goes on.
    case interrupt
    /// Killed in the middle of a write.
    case tear
    /// Stopped until it gets SIGCONT.
    case stop
    /// From here on the disk is full.
    case full
    /// The signal of the handler that has just been installed; memory that it allocates ends the process.
    case raise
  }

  var counted: Counted
  /// From 1.
  var call: Int
  var action: Action

  static let isAvailable = library != nil

  var environment: [String: String] {
    Self.environment(counted, ["FAULT_AT": "\(call)", "FAULT_ACTION": action.rawValue])
  }

  /// To count the calls of a run into a file.
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

  /// The folder with the library; nil where it can't be made.
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
