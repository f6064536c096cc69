import RecordFormats
import StoreDiagnostics

/// Prints findings on standard output: they are the check's result.
struct FindingWriter {
  private let format: FindingFormat
  private let style: RowStyle

  init(_ format: FindingFormat, _ style: RowStyle = .ofStandardOutput()) {
    self.format = format
    self.style = style
  }

  /// - Parameter summary: one line, for people; on standard error.
  func print(_ findings: [Diagnostic], summary: String) throws {
    switch format {
    case .text:
      let renderer = DiagnosticRenderer(
        color: Terminal.out.wantsColor, width: Terminal.out.size?.columns,
        wording: CommandWording())
      try OutputFile.styled.write(findings.map(renderer.render).joined())
    case .github: try OutputFile.standard.write(findings.map(\.annotation).joined())
    case .gitlab: try FactWriter(.json).print(CodeQualityFacts.facts(of: findings))
    case .sarif: try FactWriter(.json).print(.page(SARIFLog(of: findings)))
    case .facts(let format):
      let columns = ["severity", "code", "file", "line", "column", "message", "help"]
      let records = findings.map(FindingRecord.init)
      try FactWriter(format, style).print(.records(columns: columns, records))
    }
    Terminal.err.write("\(summary)\n")
  }
}

/// The record of a finding.
private struct FindingRecord: Encodable {
  let severity, code: String
  let file: String?
  let line, column: Int?
  let message: String
  let help: [String]

  init(_ finding: Diagnostic) {
    let words = CommandWording()
    (severity, code) = (finding.severity.rawValue, finding.code)
    (file, line, column) = (finding.place?.file, finding.place?.line, finding.place?.column)
    (message, help) = (finding.message(in: words), finding.help.map(words.sentence))
  }
}
