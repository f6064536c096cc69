import NIOConcurrencyHelpers

/// The load of all connections: their number, the number of answers being produced, and the bytes of incomplete
/// requests.
final class ServerLoad: Sendable {
  private struct Counts {
    var connections = 0
    var answers = 0
    var bodyBytes = 0
  }

  private let counts = NIOLockedValueBox(Counts())
  private let mostConnections: Int

  init(mostConnections: Int) {
    self.mostConnections = mostConnections
  }

  /// Counts a new connection.
  ///
  /// - Returns: whether the number of connections is within the limit. `giveConnection` must be called in both cases
  ///   when the connection closes.
  func takeConnection() -> Bool {
    counts.withLockedValue { counts in
      counts.connections += 1
      return counts.connections <= mostConnections
    }
  }

  func giveConnection() { counts.withLockedValue { $0.connections -= 1 } }

  func takeAnswer() -> Bool { take(1, of: \.answers, most: PageServer.Limit.answers) }

  func giveAnswer() { counts.withLockedValue { $0.answers -= 1 } }

  func takeBody(_ bytes: Int) -> Bool {
    take(bytes, of: \.bodyBytes, most: PageServer.Limit.bodies)
  }

  func giveBody(_ bytes: Int) { counts.withLockedValue { $0.bodyBytes -= bytes } }

  private func take(_ number: Int, of count: WritableKeyPath<Counts, Int> & Sendable, most: Int)
    -> Bool
  {
    counts.withLockedValue { counts in
      guard counts[keyPath: count] + number <= most else { return false }
      counts[keyPath: count] += number
      return true
    }
  }
}
