import RecordFormats
import ArgumentParser
import StoreDiagnostics

/// How a check's findings are written: for people, as facts, or as GitHub's annotations.
enum FindingFormat: ExpressibleByArgument, CaseIterable, Equatable {
  case text
  case github
  case facts(RowFormat)

  static let allCases = [text, github] + RowFormat.allCases.map(facts)

  init?(argument: String) {
    guard let format = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = format
  }

  private var name: String {
    switch self {
    case .text: "text"
    case .github: "github"
    case .facts(let format): format.rawValue
    }
  }

  static var allValueStrings: [String] { allCases.map(\.name) }
  var defaultValueDescription: String { name }
}

/// Prints findings on standard output: they are the check's result.
struct FindingWriter {
  private let format: FindingFormat

  init(_ format: FindingFormat) {
    self.format = format
  }

  /// - Parameter summary: one line, for people; on standard error.
  func print(_ findings: [Diagnostic], summary: String) throws {
    switch format {
    case .text:
      let renderer = DiagnosticRenderer(
        color: Terminal.out.wantsColor, wording: CommandWording())
      try write(findings.map(renderer.render).joined(), to: .styled)
    case .github: try write(findings.map(\.annotation).joined(), to: .standard)
    case .facts(let format):
      let columns = ["severity", "code", "file", "line", "column", "message", "help"]
      try FactWriter(format).print(.records(columns: columns, findings.map(\.facts)))
    }
    Terminal.err.write("\(summary)\n")
  }

  private func write(_ text: String, to output: OutputFile) throws {
    var text = text
    try text.withUTF8(output.write)
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

  /// A workflow command of GitHub Actions: the finding appears at its line of the pull request.
  fileprivate var annotation: String {
    let command = severity == .note ? "notice" : severity.rawValue
    var properties = [("title", code)]
    if let place {
      properties = [
        ("file", place.file), ("line", "\(place.line)"), ("col", "\(place.column)"),
        ("title", code),
      ]
    }
    let list = properties.map { "\($0.0)=\($0.1.escaped(isProperty: true))" }
    let words = CommandWording()
    let text = ([message(in: words)] + help.map(words.sentence)).joined(separator: "\n")
      .escaped(isProperty: false)
    return "::\(command) \(list.joined(separator: ","))::\(text)\n"
  }
}

extension String {
  /// The runner reads `%25` and the like; a property also ends at a colon or a comma.
  fileprivate func escaped(isProperty: Bool) -> String {
    unicodeScalars.map { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      case ":" where isProperty: "%3A"
      case "," where isProperty: "%2C"
      default: String(scalar)
      }
    }.joined()
  }
}
