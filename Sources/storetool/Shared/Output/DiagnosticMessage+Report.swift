import RecordFormats
import StoreDiagnostics

/// The format of standard error: text, or one JSON object per line for programs.
enum ReportFormat {
  /// Returns whether the arguments request a result in JSON. This function doesn't use the parser, because errors of
  /// the parser are also reported in this format.
  static func isJSON(in words: some Sequence<String>) -> Bool {
    let formats: Set = ["json", "ndjson"]
    var isValue = false
    var command: String?
    for word in words {
      if isValue, formats.contains(word) { return true }
      command = command ?? word
      // Only the arguments of `each` contain another command, with its own options, after '--'.
      if word == "--", command != CommandName.each { return false }
      isValue = word == "--format"
      if word.hasPrefix("--format="), formats.contains(String(word.dropFirst(9))) { return true }
    }
    return false
  }
}

extension DiagnosticMessage {
  /// The diagnostic as a line of JSON.
  var report: String { "\(JSONValue(encoding: DiagnosticReport(self)))" }

  /// Returns the diagnostic with another severity.
  func with(_ severity: Severity) -> DiagnosticMessage {
    var copy = self
    copy.severity = severity
    return copy
  }
}

extension DiagnosticError {
  /// Creates an error with one diagnostic.
  init(
    _ code: String, _ message: String, cause: DiagnosticMessage.Cause = .invalid,
    help: [DiagnosticRemedy] = []
  ) {
    self.init(DiagnosticMessage(.error, code, message, cause: cause, help: help))
  }
}

private struct DiagnosticReport: Encodable {
  let severity, code, message: String
  let file: String?
  let line, column: Int?
  let help, notes: [String]
  let excerpt: Excerpt?

  init(_ diagnostic: DiagnosticMessage) {
    let words = CommandWording()
    (severity, code) = (diagnostic.severity.rawValue, diagnostic.code)
    message = diagnostic.message(in: words)
    let place = diagnostic.place
    (file, line, column) = (place?.file, place?.line, place?.column)
    help = diagnostic.help.map(words.sentence)
    notes = [diagnostic.excerpt?.note].compactMap(\.self)
    excerpt = diagnostic.excerpt.map(Excerpt.init)
  }

  /// A line of source text, and its marked part. Columns count Unicode scalars from 1, as in locations.
  struct Excerpt: Encodable {
    let text: String
    let column, length: Int

    init(_ excerpt: DiagnosticMessage.Excerpt) {
      func scalars(_ bytes: some Collection<UInt8>) -> Int { bytes.count { $0 & 0xC0 != 0x80 } }
      text = excerpt.text
      let start = min(excerpt.range.lowerBound, text.utf8.count)
      let end = min(max(excerpt.range.upperBound, start), text.utf8.count)
      column = scalars(text.utf8.prefix(start)) + 1
      length = scalars(text.utf8.prefix(end).dropFirst(start))
    }
  }
}

extension DiagnosticMessage {
  /// The diagnostic as a workflow command of GitHub Actions, which shows the message at its line in a pull request.
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
  /// Returns the text escaped for the runner of GitHub Actions, which decodes `%25` and similar codes. In a property,
  /// colons and commas are escaped too, because they would end it.
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
