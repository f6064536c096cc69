package import StoreDiagnostics
package import StorePredicate

/// A value that was read from a file, with its location. `==` ignores the location.
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

/// A location in a file, for diagnostics. It is empty for a value that was created by code.
package struct WrittenPlace: Sendable {
  package var start: SourcePlace?
  /// The line of the file, with a caret below the value.
  package var excerpt: Diagnostic.Excerpt?
  /// The text of a value in the predicate language, whose errors have their own locations in it.
  package var text: PredicateText?

  package init(
    _ start: SourcePlace? = nil, excerpt: Diagnostic.Excerpt? = nil, text: PredicateText? = nil
  ) {
    self.start = start
    self.excerpt = excerpt
    self.text = text
  }

  /// Returns a diagnostic with the location of the whole value.
  package func locate(_ diagnostic: Diagnostic) -> Diagnostic {
    var located = diagnostic
    located.place = start
    located.excerpt = excerpt
    return located
  }

  /// Returns a diagnostic with the location of a part of the value.
  package func locate(_ diagnostic: Diagnostic, at range: TextRange) -> Diagnostic {
    text?.locate(diagnostic, at: range.range) ?? locate(diagnostic)
  }
}
