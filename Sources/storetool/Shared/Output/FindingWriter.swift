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
    case .sarif: try FactWriter(.json).print(SARIFFacts.facts(of: findings))
    case .facts(let format):
      let columns = ["severity", "code", "file", "line", "column", "message", "help"]
      try FactWriter(format, style).print(.records(columns: columns, findings.map(\.facts)))
    }
    Terminal.err.write("\(summary)\n")
  }
}

extension Diagnostic {
  fileprivate var facts: JSONValue {
    var object = FactObject()
    object.add("severity", severity.rawValue)
    object.add("code", code)
    object.add("file", place?.file)
    object.add("line", place?.line)
    object.add("column", place?.column)
    object.add("message", message(in: CommandWording()))
    object.add("help", help.map(CommandWording().sentence))
    return object.value
  }
}
