import Dispatch
import SQLiteAccess
import Synchronization
import Testing

/// The queue of a serial worker.
@Suite struct SerialWorkerTests {
  private struct Late: Error {}

  private final class Served: Sendable {
    private let numbers = Mutex<[Int]>([])
    var all: [Int] { numbers.withLock { $0 } }
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
  }

  /// Waits until `count` tasks have submitted their work.
  private func until(_ count: Int, waitFor worker: SerialWorker) async {
    while worker.waitingCount < count { await Task.yield() }
  }

  @Test func whoComesFirstIsServedFirst() async throws {
    let worker = SerialWorker(named: "test")
    let gate = DispatchSemaphore(value: 0)
    worker.schedule { gate.wait() }
    let served = Served()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask { try await worker.run { _ in served.add(number) } }
        await until(number + 1, waitFor: worker)
      }
      gate.signal()
      try await group.waitForAll()
    }
    #expect(served.all == Array(0..<200))
  }

  /// Work whose waiting time has expired doesn't run. Work after it keeps its position.
  @Test func whoWaitsTooLongLeaves() async throws {
    let worker = SerialWorker(named: "test")
    let gate = DispatchSemaphore(value: 0)
    worker.schedule { gate.wait() }
    let served = Served()
    let late = Task {
      try await worker.run(waitingAtMost: .milliseconds(10), orThrowing: { Late() }) { _ in
        served.add(1)
      }
    }
    await until(1, waitFor: worker)
    let patient = Task {
      try await worker.run(waitingAtMost: .seconds(600)) { _ in served.add(2) }
    }
    await until(2, waitFor: worker)
    do {
      try await late.value
      Issue.record("its turn has come")
    } catch {
      #expect(error is Late)
    }
    gate.signal()
    try await patient.value
    #expect(served.all == [2])
  }

  /// The limit only applies to waiting. Two seconds are sufficient for work to begin on a busy machine.
  @Test func workThatHasBegunIsNotLate() async throws {
    let worker = SerialWorker(named: "test")
    let result = try await worker.run(waitingAtMost: .seconds(2), orThrowing: { Late() }) { _ in
      DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(2100))
    }
    #expect(result == .timedOut)
  }
}
