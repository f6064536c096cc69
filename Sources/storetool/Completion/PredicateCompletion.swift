import StoreModel

/// What a text in the predicate language may go on with: the key path at its end.
struct PredicateCompletion {
  /// What stands before the key path.
  private let head: String
  /// As far as the key path is typed.
  private let path: String

  /// Nil where no key path is being written: in a string, or after the `$` of a variable.
  init?(_ text: String) {
    guard !Self.endsInString(text) else { return nil }
    path = String(
      text.reversed().prefix { $0.isLetter || $0.isNumber || "_.@".contains($0) }.reversed())
    head = String(text.dropLast(path.count))
    guard head.last != "$", path.first?.isNumber != true else { return nil }
  }

  func candidates(
    from entity: Entity, in model: Model, for purpose: KeyPathCompletion.Purpose
  ) -> [CompletionCandidate] {
    KeyPathCompletion(in: model, for: purpose).candidates(from: entity, after: path)
      .map { CompletionCandidate(head + $0.word, $0.note, mayGoOn: true) }
  }

  private static func endsInString(_ text: String) -> Bool {
    var quote: Character?
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "\\" {
        rest = rest.dropFirst()
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        quote = character
      }
    }
    return quote != nil
  }
}
