import StoreDiagnostics

extension Diagnostic {
  /// A workflow command of GitHub Actions: the finding appears at its line of the pull request.
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
