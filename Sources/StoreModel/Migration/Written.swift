package import StoreDiagnostics
package import StorePredicate

/// What a piece of a file means, and where it stands.
///
/// The place rides along outside of `==`, so that what was read compares by its meaning.
package struct Written<Meaning: Hashable & Sendable>: Hashable, Sendable {
  package var meaning: Meaning
  package var place: WrittenPlace

  package init(_ meaning: Meaning, at place: WrittenPlace = WrittenPlace()) {
    self.meaning = meaning
    self.place = place
  }

  package static func == (left: Written, right: Written) -> Bool {
    left.meaning == right.meaning
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(meaning) }
}

/// Where something is written, for a diagnostic to point at; empty for what code has made.
package struct WrittenPlace: Sendable {
  package var start: SourcePlace?
  /// The line of the file, with a caret under the piece.
  package var excerpt: Diagnostic.Excerpt?
  /// Where the piece is predicate language: mistakes have places of their own in it.
  package var text: PredicateText?

  package init(
    _ start: SourcePlace? = nil, excerpt: Diagnostic.Excerpt? = nil, text: PredicateText? = nil
  ) {
    self.start = start
    self.excerpt = excerpt
    self.text = text
  }

  /// Puts a diagnostic at the whole piece.
  package func locate(_ diagnostic: Diagnostic) -> Diagnostic {
    var located = diagnostic
    located.place = start
    located.excerpt = excerpt
    return located
  }

  /// Puts a diagnostic at a part of the piece's predicate language.
  package func locate(_ diagnostic: Diagnostic, at range: TextRange) -> Diagnostic {
    text?.locate(diagnostic, at: range.range) ?? locate(diagnostic)
  }
}
