import Foundation
import TestSupport
import Testing

/// If a command that writes many rows is stopped in the middle, the store contains only its old rows.
struct InterruptionTests {
  private let samples: SampleFolder

  init() throws {
    samples = try SampleFolder()
    try samples.expect("storetool create --model Models/Todo.xcdatamodeld")
    try samples.expect("storetool insert Item name=old")
  }

  /// Writes rows to a named pipe, which stays open, and then sends the signal. The command has read all rows except the
  /// content of the pipe's buffer.
  private func interrupt(
    _ command: String, by signal: String, afterSeconds pause: Int = 0
  ) throws -> BuiltCommand.Result {
    try samples.shell.run(
      """
      mkfifo pipe
      storetool \(command) & tool=$!
      exec 3> pipe
      for i in $(seq 50000); do echo "{\\"name\\": \\"new row number $i\\"}"; done >&3
      sleep \(pause)
      kill -\(signal) $tool
      wait $tool
      """)
  }

  static let commands = ["batch-insert Item pipe --input json", "import pipe --entity Item"]

  private func expectOldRow() throws {
    #expect(try samples.expect("storetool fetch Item --select name") == "{\"name\":\"old\"}\n")
  }

  @Test(arguments: commands, ["INT", "TERM"])
  func cancelling(_ command: String, signal: String) throws {
    let outcome = try interrupt(command, by: signal)
    #expect(outcome.status == 130)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors == "error: cancelled; nothing was changed [cancelled]\n")
    try expectOldRow()
    #expect(try samples.expect("ls") == "Models\nTodo.sqlite\npipe\n")
  }

  /// The command has read all rows and waits for more. On a slow machine, it still processes rows and also stops.
  @Test(arguments: commands)
  func cancellingTheWaiting(_ command: String) throws {
    let outcome = try interrupt(command, by: "INT", afterSeconds: 3)
    #expect(outcome.status == 130)
    #expect(outcome.errors == "error: cancelled; nothing was changed [cancelled]\n")
    try expectOldRow()
  }

  /// A killed process doesn't clean up, so the next process does.
  @Test(arguments: commands)
  func killing(_ command: String) throws {
    let outcome = try interrupt(command, by: "KILL")
    #expect(outcome.status == 128 + 9)
    try expectOldRow()
    let id = try samples.expect("storetool insert Item name=next")
    #expect(id.hasSuffix("/Item/p2\n"))
    #expect(try samples.expect("storetool fetch Item --count") == "2\n")
  }
}
