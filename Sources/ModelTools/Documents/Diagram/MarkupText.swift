import StoreDiagnostics

extension String {
  /// For text in XML, HTML-like labels included: what would be markup as an entity, what would command a
  /// terminal or is not allowed in XML shown.
  var markup: String {
    var text = ""
    for scalar in ControlCharacters.escaped(in: self).unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
