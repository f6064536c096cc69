import StoreModel
import Dispatch
import StoreEngine

/// Blocks a request at its first progress report until `open()` is called.
final class Barrier: Sendable {
  private let reached: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation
  private let gate = DispatchSemaphore(value: 0)

  init() {
    (reached, arrival) = AsyncStream.makeStream()
  }

  @Sendable func hold(_ progress: BatchProgress) { hold() }

  func hold() {
    arrival.yield()
    gate.wait()
  }

  func isReached() async {
    for await _ in reached { return }
  }

  /// Unblocks the request permanently.
  func open() {
    for _ in 0..<1_000 { gate.signal() }
  }
}
