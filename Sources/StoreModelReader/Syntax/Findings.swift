import StoreDiagnostics

/// The issues that were found in one file.
struct Findings {
  let source: XMLSource
  private var found: [(offset: Int, diagnostic: Diagnostic)] = []
  private(set) var hasErrors = false
  private var unlisted = 0

  /// The maximum number of reported issues. An issue can require a search through all names, so that the time for a
  /// file with many issues would be quadratic.
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

  /// Reports a diagnostic that already has a location. It is sorted like one at `spot`.
  mutating func reportLocated(_ diagnostic: Diagnostic, near spot: XMLSpot) {
    add(diagnostic, at: spot) { $1 }
  }

  private mutating func add(
    _ diagnostic: @autoclosure () -> Diagnostic, at spot: XMLSpot,
    located: (XMLSource, Diagnostic) -> Diagnostic
  ) {
    // Beyond the limit, only the first error is added, because an error prevents reading, but a warning doesn't.
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

  /// The issues in the order of the file.
  var diagnostics: [Diagnostic] {
    let listed = found.enumerated()
      .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .map(\.element.diagnostic)
    guard unlisted > 0 else { return listed }
    let rest = Diagnostic(
      .note, "model.more",
      "'\(source.file)' has \(unlisted) more issues; at most \(Self.limit) are listed"
    )
    return listed + [rest]
  }

  /// The line number of a location, for "the first one is in line 3".
  func line(of spot: XMLSpot) -> Int {
    source.place(of: source.range(of: spot).lowerBound).line
  }
}
