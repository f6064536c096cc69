import StoreModel
import Dispatch
import StoreEngine

/// Holds a request at its first report of progress until it is let go.
final class Barrier: Sendable {
  private let reached: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation
  private let gate = DispatchSemaphore(value: 0)

  init() {
    (reached, arrival) = AsyncStream.makeStream()
  }

  @Sendable func hold(_ progress: BatchProgress) {
    arrival.yield()
    gate.wait()
  }

  func isReached() async {
    for await _ in reached { return }
  }

  /// Lets go for good.
  func open() {
    for _ in 0..<1_000 { gate.signal() }
  }
}
