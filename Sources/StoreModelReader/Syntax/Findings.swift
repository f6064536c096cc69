import StoreDiagnostics

/// The mistakes found so far in one file.
struct Findings {
  let source: XMLSource
  private var found: [(offset: Int, diagnostic: Diagnostic)] = []
  private(set) var hasErrors = false
  private var unlisted = 0

  /// How many are listed; whoever has made more wants to know the first ones. Each takes a look at all
  /// names, so a file of mistakes alone would take that squared.
  static let limit = 1000

  init(source: XMLSource) {
    self.source = source
  }

  mutating func report(_ problem: some ModelIssue, at spot: XMLSpot) {
    add(problem.diagnostic, at: spot) { $0.locate($1, at: spot) }
  }

  mutating func report(_ diagnostic: @autoclosure () -> Diagnostic, at spot: XMLSpot) {
    add(diagnostic(), at: spot) { $0.locate($1, at: spot) }
  }

  /// A diagnostic that knows its place already; it sorts with those at `spot`.
  mutating func reportLocated(_ diagnostic: Diagnostic, near spot: XMLSpot) {
    add(diagnostic, at: spot) { $1 }
  }

  private mutating func add(
    _ diagnostic: @autoclosure () -> Diagnostic, at spot: XMLSpot,
    located: (XMLSource, Diagnostic) -> Diagnostic
  ) {
    // Above the limit only the first error counts: it stops what warnings do not.
    guard found.count < Self.limit || !hasErrors else {
      unlisted += 1
      return
    }
    let diagnostic = diagnostic()
    guard found.count < Self.limit || diagnostic.severity == .error else {
      unlisted += 1
      return
    }
    hasErrors = hasErrors || diagnostic.severity == .error
    found.append((source.range(of: spot).lowerBound, located(source, diagnostic)))
  }

  /// In the order in which they stand in the file.
  var diagnostics: [Diagnostic] {
    let listed = found.enumerated()
      .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .map(\.element.diagnostic)
    guard unlisted > 0 else { return listed }
    let rest = Diagnostic(
      .note, "model.more", "'\(source.file)' has \(unlisted) more; \(Self.limit) are listed at most"
    )
    return listed + [rest]
  }

  /// The number of the line that a spot is in, for "the first is in line 3".
  func line(of spot: XMLSpot) -> Int {
    source.place(of: source.range(of: spot).lowerBound).line
  }
}
