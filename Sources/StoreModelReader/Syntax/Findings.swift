import StoreDiagnostics

/// The issues that were found in one file.
struct Findings {
  let source: XMLSource
  private var found: [(offset: Int, diagnostic: DiagnosticMessage)] = []
  private(set) var hasErrors = false
  private var unlisted = 0

  /// The maximum number of reported issues. If none of them is an error, the next error is also reported. An issue can
  /// require a search through all names, so without a limit the time for a file with many issues would be quadratic.
  static let limit = 1000

  init(source: XMLSource) {
    self.source = source
  }

  mutating func report(_ problem: some ModelIssue, at spot: XMLSpot) {
    add(problem.diagnostic, at: spot) { $0.locate($1, at: spot) }
  }

  mutating func report(
    _ problem: some ModelIssue, at attribute: String, of element: XMLElement
  ) {
    report(problem, at: element.spot(of: attribute))
  }

  /// Reports a diagnostic that already has a location. `diagnostics` sorts it by the location `spot`.
  mutating func reportLocated(_ diagnostic: DiagnosticMessage, near spot: XMLSpot) {
    add(diagnostic, at: spot) { $1 }
  }

  private mutating func add(
    _ diagnostic: @autoclosure () -> DiagnosticMessage, at spot: XMLSpot,
    located: (XMLSource, DiagnosticMessage) -> DiagnosticMessage
  ) {
    // After the limit is reached, only the first error of the file is added. It must not be lost, because an error
    // prevents the file from being read.
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

  /// The issues in the order of the file. If issues were omitted, the last diagnostic is a note with their number.
  var diagnostics: [DiagnosticMessage] {
    let listed = found.enumerated()
      .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .map(\.element.diagnostic)
    guard unlisted > 0 else { return listed }
    let rest = DiagnosticMessage(
      .note, "model.more",
      "'\(source.file)' has \(unlisted) more issues; at most \(Self.limit) are listed"
    )
    return listed + [rest]
  }

  /// Returns the line number of a location, for messages such as "the first one is on line 3".
  func line(of spot: XMLSpot) -> Int {
    source.place(of: source.range(of: spot).lowerBound).line
  }
}
