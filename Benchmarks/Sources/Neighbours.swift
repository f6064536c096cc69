import Foundation
import StoreEngine

/// Measures the effect of a stream on other processes and other requests.
struct Neighbours {
  let store: PersistentStore
  let path: String

  private static let seconds = 2.0
  private static let rounds = 3

  /// The state of the store's stream during a measurement.
  private enum Meanwhile: String, CaseIterable {
    case nothing = "no stream"
    case open = "a stream is open"
    case reading = "a stream is read"
    case sorting = "a stream sorts"
  }

  func run() async throws {
    for (title, work) in [
      ("a commit of another process", Neighbour.Work.write),
      ("a read of another process", Neighbour.Work.read),
    ] {
      try await compare(title) {
        try await Neighbour(work, on: path, seconds: Self.seconds).samples()
      }
    }
    try await compare("a read of the same store") { try await ownReads() }
  }

  /// Measures all states in turns, so that other work on the machine affects them equally.
  private func compare(_ title: String, _ measure: () async throws -> Samples) async throws {
    var samples: [Meanwhile: Samples] = [:]
    for _ in 0..<Self.rounds {
      for meanwhile in Meanwhile.allCases {
        let more = try await during(meanwhile, measure)
        samples[meanwhile, default: Samples()].append(contentsOf: more)
      }
    }
    print("\n\(title)".padded(35), "median ms     99 %   longest   times")
    for meanwhile in Meanwhile.allCases {
      guard let own = samples[meanwhile] else { continue }
      print(
        meanwhile.rawValue.padded(34), own.median.digits(3, width: 9),
        own.quantile(0.99).digits(3, width: 8), own.worst.digits(1, width: 9),
        "\(own.values.count)".leftPadded(7))
    }
  }

  private func during(
    _ meanwhile: Meanwhile, _ measure: () async throws -> Samples
  ) async throws -> Samples {
    let all = Errand.all
    let query = meanwhile == .sorting ? all.ordered(by: \.note) : all
    guard meanwhile != .nothing else { return try await measure() }
    var batches = store.stream(query).makeAsyncIterator()
    if meanwhile == .open || meanwhile == .reading { _ = try await batches.next() }
    let reading = Task { [store] in
      // For a stream that is only open, the task sleeps until it is cancelled.
      guard meanwhile != .open else { return try await Task.sleep(for: .seconds(3_600)) }
      while true {
        for try await _ in store.stream(query) {
          if meanwhile == .sorting { break }
        }
      }
    }
    let samples = try await measure()
    reading.cancel()
    _ = await reading.result
    withExtendedLifetime(batches) {}
    return samples
  }

  private func ownReads() async throws -> Samples {
    let ids = try await store.fetch(Errand.all.limit(1_000).ids)
    let clock = ContinuousClock()
    let end = clock.now + .seconds(Self.seconds)
    var samples = Samples()
    var next = 0
    while clock.now < end {
      let start = clock.now
      _ = try await store.object(ids[next % ids.count])
      samples.append((clock.now - start).inMilliseconds)
      next += 1
    }
    return samples
  }
}
