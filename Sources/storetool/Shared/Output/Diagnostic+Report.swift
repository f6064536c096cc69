import RecordFormats
import StoreDiagnostics

/// The format of standard error: text, or one JSON object per line for programs.
enum ReportFormat {
  /// Whether the arguments request a result in JSON. This doesn't use the parser, because the parser itself may report
  /// errors.
  static func isJSON(in words: some Sequence<String>) -> Bool {
    let formats: Set = ["json", "ndjson"]
    var isValue = false
    var command: String?
    for word in words {
      if isValue, formats.contains(word) { return true }
      command = command ?? word
      // The command for each store follows.
      if word == "--", command != CommandName.each { return false }
      isValue = word == "--format"
      if word.hasPrefix("--format="), formats.contains(String(word.dropFirst(9))) { return true }
    }
    return false
  }
}

extension Diagnostic {
  /// The diagnostic as a line of JSON.
  var report: String { "\(JSONValue(encoding: DiagnosticReport(self)))" }
}

private struct DiagnosticReport: Encodable {
  let severity, code, message: String
  let file: String?
  let line, column: Int?
  let help, notes: [String]
  let excerpt: Excerpt?

  init(_ diagnostic: Diagnostic) {
    let words = CommandWording()
    (severity, code) = (diagnostic.severity.rawValue, diagnostic.code)
    message = diagnostic.message(in: words)
    let place = diagnostic.place
    (file, line, column) = (place?.file, place?.line, place?.column)
    help = diagnostic.help.map(words.sentence)
    notes = [diagnostic.excerpt?.note].compactMap(\.self)
    excerpt = diagnostic.excerpt.map(Excerpt.init)
  }

  /// The marked range. Columns count Unicode scalars from 1, as in locations.
  struct Excerpt: Encodable {
    let text: String
    let column, length: Int

    init(_ excerpt: Diagnostic.Excerpt) {
      func scalars(_ bytes: some Collection<UInt8>) -> Int { bytes.count { $0 & 0xC0 != 0x80 } }
      text = excerpt.text
      let start = min(excerpt.range.lowerBound, text.utf8.count)
      let end = min(max(excerpt.range.upperBound, start), text.utf8.count)
      column = scalars(text.utf8.prefix(start)) + 1
      length = scalars(text.utf8.prefix(end).dropFirst(start))
    }
  }
}

extension Diagnostic {
  /// The diagnostic as a workflow command of GitHub Actions, which shows it at its line of the pull request.
  var annotation: String {
    let command = severity == .note ? "notice" : severity.rawValue
    var properties = [("title", code)]
    if let place {
      properties = [
        ("file", place.file.belowWorkingDirectory), ("line", "\(place.line)"),
        ("col", "\(place.column)"),
        ("title", code),
      ]
    }
    let list = properties.map { "\($0.0)=\($0.1.escaped(isProperty: true))" }
    let text = wholeText.escaped(isProperty: false)
    return "::\(command) \(list.joined(separator: ","))::\(text)\n"
  }
}

extension String {
  /// Returns the text escaped for the runner, which decodes `%25` and similar codes. A property also ends at a colon or
  /// a comma.
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
