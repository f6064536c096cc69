import Synchronization

/// What was shown in dry runs and may now be written, each once.
final class DryRunTickets: Sendable {
  private struct Shown {
    let ticket: String
    let store: Int
    let words: [String]
  }

  /// The oldest are forgotten.
  private static let limit = 100
  private let shown = Mutex<[Shown]>([])

  /// A ticket for the words of a dry run that went well.
  func ticket(for words: PageWords, store: Int) -> String {
    let ticket = RandomToken.text()
    shown.withLock { shown in
      if shown.count == Self.limit { shown.removeFirst() }
      shown.append(Shown(ticket: ticket, store: store, words: words.written))
    }
    return ticket
  }

  /// Takes a ticket back.
  ///
  /// - Returns: whether it was for these words.
  func take(_ ticket: String?, for words: PageWords, store: Int) -> Bool {
    shown.withLock { shown in
      guard
        let index = shown.firstIndex(where: {
          $0.ticket == ticket && $0.store == store && $0.words == words.written
        })
      else { return false }
      shown.remove(at: index)
      return true
    }
  }
}

/// What nobody guesses: 128 bits, in letters and digits that an address may have.
enum RandomToken {
  static func text() -> String {
    var source = SystemRandomNumberGenerator()
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    return String((0..<22).map { _ in digits[Int.random(in: 0..<64, using: &source)] })
  }
}
