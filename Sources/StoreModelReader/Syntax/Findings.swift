import StoreDiagnostics

/// The mistakes found so far in one file.
struct Findings {
  let source: XMLSource
  private var found: [(offset: Int, diagnostic: Diagnostic)] = []

  init(source: XMLSource) {
    self.source = source
  }

  mutating func report(_ problem: some ModelProblem, at spot: XMLSpot) {
    report(problem.diagnostic, at: spot)
  }

  mutating func report(_ diagnostic: Diagnostic, at spot: XMLSpot) {
    found.append((source.range(of: spot).lowerBound, source.locate(diagnostic, at: spot)))
  }

  /// A diagnostic that knows its place already; it sorts with those at `spot`.
  mutating func reportLocated(_ diagnostic: Diagnostic, near spot: XMLSpot) {
    found.append((source.range(of: spot).lowerBound, diagnostic))
  }

  var hasErrors: Bool { found.contains { $0.diagnostic.severity == .error } }

  /// In the order in which they stand in the file.
  var diagnostics: [Diagnostic] {
    found.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .map(\.element.diagnostic)
  }

  /// The number of the line that a spot is in, for "the first is in line 3".
  func line(of spot: XMLSpot) -> Int {
    source.place(of: source.range(of: spot).lowerBound).line
  }
}
