import Foundation
import SeededRandom
import Testing

/// A command that writes is killed or cancelled at any moment. The store has its content before or after the command.
struct KillTests {
  private let stock: StockFolder

  init() throws {
    stock = try StockFolder()
  }

  /// The number of moments for each command.
  private static let moments = Soak.times(3)

  @Test(arguments: StockFolder.commands)
  func killing(_ arguments: [String]) throws {
    let killed = try endings(of: arguments, by: SIGKILL, moments: Self.moments) { ending in
      ending.signal == SIGKILL
    }
    #expect(killed > 0)
  }

  /// A kill in the middle of a commit leaves a journal that must be rolled back first. Each command that writes does
  /// that.
  @Test(.enabled(if: FaultInjection.isAvailable, "no library can be loaded into a command here"))
  func writingAfterAKill() throws {
    try stock.setJournal(.delete)
    let before = try stock.state()
    let update = ["batch-update", "Part", "amount=7"]
    let total = stock.path("total")
    try stock.copy()
    #expect(
      try stock.run(update, environment: FaultInjection.counting(.files, into: total)).status == 0)
    let calls = try #require(Int(String(contentsOfFile: total, encoding: .utf8)))
    let fault = FaultInjection(counted: .files, call: calls * 3 / 4, action: .kill)
    for command in StockFolder.commands {
      try stock.copy()
      #expect(try stock.run(update, environment: fault.environment).signal == SIGKILL)
      let reading = try stock.run(["fetch", "Part", "--count"])
      #expect(reading.errors.contains("[store.needs-recovery]"))
      #expect(try stock.run(command).status == 0, "\(command)")
      let found = try stock.state(of: "copy.sqlite")
      try stock.copy()
      #expect(try stock.run(command).status == 0)
      #expect(try stock.state(of: "copy.sqlite") == found, "\(command)")
    }
    #expect(try stock.state() == before)
  }

  static let signals = StockFolder.commands.dropFirst().enumerated().map { index, command in
    (command, index % 3 == 2 ? SIGTERM : SIGINT)
  }

  @Test(arguments: signals)
  func cancelling(_ arguments: [String], signal: Int32) throws {
    let cancelled = try endings(of: arguments, by: signal, moments: Soak.times(3)) { ending in
      guard ending.status == 130, ending.signal == nil else { return ending.signal == signal }
      #expect(ending.errors == "error: cancelled; nothing was changed [cancelled]\n")
      return true
    }
    #expect(cancelled > 0)
  }

  /// Allocating memory in a handler would corrupt the heap if the signal interrupts an allocation of SQLite.
  @Test(
    .enabled(if: FaultInjection.isAvailable, "no library can be loaded into a command here"),
    arguments: [1, 2])
  func aHandlerAllocatesNoMemory(_ number: Int) throws {
    try stock.copy()
    let fault = FaultInjection(counted: .handlers, call: number, action: .raise)
    for command in StockFolder.commands.dropFirst() {
      let ending = try stock.run(command, environment: fault.environment)
      #expect(ending.signal == nil, "\(command)")
      #expect(ending.status == 130, "\(command)")
    }
    #expect(try stock.state(of: "copy.sqlite") == stock.state())
  }

  /// Ends a command at several moments.
  ///
  /// - Parameter isStopped: returns whether the command has ended without changing the store.
  /// - Returns: the number of these endings.
  private func endings(
    of arguments: [String], by signal: Int32, moments: Int,
    _ isStopped: (SampleFolder.Ending) throws -> Bool
  ) throws -> Int {
    var generator = SeededGenerator(seed: 11)
    let before = try stock.state()
    try stock.copy()
    let start = ContinuousClock.now
    #expect(try stock.run(arguments).status == 0)
    let duration = ContinuousClock.now - start
    let after = try stock.state(of: "copy.sqlite")
    #expect(before != after)
    return try generator.stops(moments, within: duration) { moment in
      try stock.copy()
      let ending = try stock.run(arguments, sending: signal, after: moment)
      let found = try stock.state(of: "copy.sqlite")
      let isStopped = try isStopped(ending)
      // After a kill between the commit and the end, the store is changed.
      let isRight = found == before && isStopped || found == after && ending.status != 130
      #expect(isRight, "\(moment): \(ending), \(found.difference(from: before))")
      return isStopped
    }
  }
}
