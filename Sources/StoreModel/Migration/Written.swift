package import StoreDiagnostics
package import StorePredicate

/// A value with the location in the file from which it was read. `==` ignores the location.
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
  /// The part of the file that contains the value.
  package var excerpt: DiagnosticMessage.Excerpt?
  /// The text of the value if it is a predicate or an expression, whose errors have locations in this text.
  package var text: PredicateText?

  package init(
    _ start: SourcePlace? = nil, excerpt: DiagnosticMessage.Excerpt? = nil,
    text: PredicateText? = nil
  ) {
    self.start = start
    self.excerpt = excerpt
    self.text = text
  }

  /// Returns a diagnostic with the location of the whole value.
  package func locate(_ diagnostic: DiagnosticMessage) -> DiagnosticMessage {
    var located = diagnostic
    located.place = start
    located.excerpt = excerpt
    return located
  }

  /// Returns a diagnostic with the location of a part of the value.
  package func locate(_ diagnostic: DiagnosticMessage, at range: TextRange) -> DiagnosticMessage {
    text?.locate(diagnostic, at: range.range) ?? locate(diagnostic)
  }
}
