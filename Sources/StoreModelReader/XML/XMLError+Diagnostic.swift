package import StoreDiagnostics

extension XMLError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    var diagnostic = plainDiagnostic
    diagnostic.place = source.place(of: range.lowerBound)
    if !source.bytes.isEmpty, kind != .notUTF8 { diagnostic.excerpt = source.excerpt(at: range) }
    return [diagnostic]
  }

  /// `lines 8–13 and 213–221`
  private static func lines(_ conflicts: [ClosedRange<Int>]) -> String {
    let ranges = conflicts.map { "\($0.lowerBound)–\($0.upperBound)" }
    let last = ranges.suffix(1).joined()
    return "lines "
      + (ranges.count > 1 ? "\(ranges.dropLast().joined(separator: ", ")) and \(last)" : last)
  }

  private var plainDiagnostic: Diagnostic {
    switch kind {
    case .empty:
      Diagnostic(.error, "xml.empty", "the file is empty")
        .helping("\(dialect.noun)'s file begins with '<?xml' and holds a '\(dialect.root)' element")
    case .tooLarge(let bytes):
      Diagnostic(
        .error, "xml.too-large", "the file is too large for \(dialect.noun): \(bytes) bytes")
    case .tooManyAttributes(let limit):
      Diagnostic(
        .error, "xml.too-many-attributes", "an element has more than \(limit) attributes here")
    case .notUTF8:
      Diagnostic(.error, "xml.encoding", "the file is not UTF-8 text")
        .helping("save it as UTF-8, as Xcode does")
    case .documentType:
      Diagnostic(
        .error, "xml.document-type", "the file has a DOCTYPE, which \(dialect.noun) never has"
      )
      .helping("remove it; the entities that it may define are not read")
    case .conflicts(let conflicts):
      Diagnostic(
        .error, "xml.conflict",
        "the file holds unresolved conflicts of a merge: \(Self.lines(conflicts))"
      ).helping(.model(.resolveConflicts))
    case .malformed(let reason):
      Diagnostic(.error, "xml.malformed", "the XML is broken: \(reason)")
    case .noMemory:
      Diagnostic(
        .error, "xml.memory", "there is not enough memory to read the file", cause: .inputOutput)
    }
  }
}
