import Synchronization

/// Numbers of values that could not be read as they are stored: by what became of their files, and text that isn't UTF-8.
package final class UnreadValues: Sendable {
  package struct Counts: Hashable, Sendable {
    package var missing = 0
    /// Symbolic links, what lies behind them, and what else is not a regular file.
    package var notFollowed = 0
    package var unreadable = 0
    /// Values whose invalid bytes were replaced by U+FFFD.
    package var invalidText = 0
  }

  private let state = Mutex(Counts())

  package init() {}

  package var counts: Counts { state.withLock { $0 } }

  func addInvalidText() { state.withLock { $0.invalidText += 1 } }

  func add(_ problem: ExternalFileError) {
    state.withLock { counts in
      switch problem {
      case .missing: counts.missing += 1
      case .link, .special: counts.notFollowed += 1
      case .unreadable: counts.unreadable += 1
      }
    }
  }
}
