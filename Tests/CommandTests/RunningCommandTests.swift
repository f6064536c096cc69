import Foundation
import Testing

/// Waiting until a command stops itself always ends.
struct RunningCommandTests {
  private let samples: SampleFolder

  init() throws {
    samples = try SampleFolder()
    try samples.expect("storetool create --model Models/Todo.xcdatamodeld")
  }

  private func server() throws -> RunningCommand {
    try samples.start(["browse", "--no-open", "--store", "Todo.sqlite"])
  }

  @Test func noticesAStop() throws {
    let command = try server()
    kill(command.identifier, SIGSTOP)
    try command.waitUntilStopped()
    kill(command.identifier, SIGKILL)
    #expect(try command.ending().signal == SIGKILL)
  }

  @Test func reportsAnEnd() throws {
    let command = try samples.start(["no-such-command"])
    let error = #expect(throws: RunningCommand.NotStopped.self) { try command.waitUntilStopped() }
    #expect(error?.ending?.status == 64)
  }

  @Test func killsACommandThatGoesOn() throws {
    let command = try server()
    let error = #expect(throws: RunningCommand.NotStopped.self) {
      try command.waitUntilStopped(within: .milliseconds(50))
    }
    #expect(error?.ending == nil)
    #expect(try command.ending().signal == SIGKILL)
  }
}
