import NIOConcurrencyHelpers

/// The place of an answer among those that are made at the same time.
final class AnswerPlace: Sendable {
  private let load: ServerLoad
  private let isTaken = NIOLockedValueBox(true)

  /// Nil where all are taken.
  init?(in load: ServerLoad) {
    guard load.takeAnswer() else { return nil }
    self.load = load
  }

  /// Gives it back, the first time that it is called.
  func giveBack() {
    let wasTaken = isTaken.withLockedValue { isTaken in
      defer { isTaken = false }
      return isTaken
    }
    if wasTaken { load.giveAnswer() }
  }
}
