import Metrics
import StoreEngine
import Synchronization

/// The metrics of a store, each made when it is first needed and then kept.
final class RequestMetrics: Sendable {
  private struct Key: Hashable {
    var label: String
    var dimensions: [String]
  }

  private struct Made {
    var counters: [Key: Counter] = [:]
    var timers: [Key: Metrics.Timer] = [:]
    var readers: Meter?
  }

  private let factory: any MetricsFactory
  private let made = Mutex(Made())

  init(_ factory: any MetricsFactory) { self.factory = factory }

  func record(_ event: RequestEvent) {
    let kind = [("kind", event.request.kind.rawValue)]
    counter("storetool.requests", kind + [("outcome", event.outcome.name)]).increment()
    if event.rows > 0 { counter("storetool.rows", kind).increment(by: event.rows) }
    timer("storetool.duration", kind).recordNanoseconds(event.ran.nanoseconds)
    timer("storetool.wait", kind).recordNanoseconds(event.waited.nanoseconds)
    if event.waitedForLock > .zero {
      timer("storetool.lock_wait", kind).recordNanoseconds(event.waitedForLock.nanoseconds)
    }
    for (count, isReused) in [(event.compiled, "false"), (event.reused, "true")] where count > 0 {
      counter("storetool.compilations", [("reused", isReused)]).increment(by: count)
    }
    readers.set(Int64(event.openReaders))
  }

  private func counter(_ label: String, _ dimensions: [(String, String)]) -> Counter {
    let key = Key(label: label, dimensions: dimensions.map(\.1))
    return made.withLock { made in
      if let known = made.counters[key] { return known }
      let counter = Counter(label: label, dimensions: dimensions, factory: factory)
      made.counters[key] = counter
      return counter
    }
  }

  private func timer(_ label: String, _ dimensions: [(String, String)]) -> Metrics.Timer {
    let key = Key(label: label, dimensions: dimensions.map(\.1))
    return made.withLock { made in
      if let known = made.timers[key] { return known }
      let timer = Metrics.Timer(label: label, dimensions: dimensions, factory: factory)
      made.timers[key] = timer
      return timer
    }
  }

  private var readers: Meter {
    made.withLock { made in
      let meter = made.readers ?? Meter(label: "storetool.readers", factory: factory)
      made.readers = meter
      return meter
    }
  }
}
