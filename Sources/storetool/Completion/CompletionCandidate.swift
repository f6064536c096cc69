import StoreDiagnostics

/// A word that a shell may offer.
struct CompletionCandidate: Hashable {
  var word: String
  /// What is shown beside it, where a shell does that.
  var note: String?
  /// Whether the word is hardly all that is meant, as a key path is of a predicate.
  var mayGoOn: Bool

  init(_ word: String, _ note: String? = nil, mayGoOn: Bool = false) {
    self.word = word
    self.note = note
    self.mayGoOn = mayGoOn
  }
}
