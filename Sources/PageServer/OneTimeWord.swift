import NIOConcurrencyHelpers

/// A word in an address that leads to the page once.
///
/// Everyone on a computer can read the command lines of its programs. What opens the browser gets its address there, so
/// that must not be the one with the token.
package final class OneTimeWord: Sendable {
  private let word: NIOLockedValueBox<String?>
  private let end: ContinuousClock.Instant

  /// - Parameter time: after which it leads nowhere.
  package init(_ word: String, for time: Duration = .seconds(120)) {
    self.word = NIOLockedValueBox(word)
    end = .now + time
  }

  /// - Returns: whether it is the word, for the first time.
  func take(_ given: String) -> Bool {
    word.withLockedValue { word in
      guard let wanted = word, ContinuousClock.now < end, isSameText(given, wanted) else {
        return false
      }
      word = nil
      return true
    }
  }
}
