/// Characters that would command a terminal instead of being shown on it.
///
/// Text out of a store or a model may hold any: to people they are shown as `\n`, `\t`, `\u{1b}`.
package enum ControlCharacters {
  /// The text with all of them written out, but for those that the place can take.
  package static func escaped(in text: String, keeping kept: [Unicode.Scalar] = []) -> String {
    // Most text has none, and its bytes tell that without decoding.
    guard mayBeIn(text) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isControl(scalar), !kept.contains(scalar) {
        result.append(contentsOf: shown(scalar).unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// C0, DEL, C1, and what turns the direction of text around.
  package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func shown(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    default: "\\u{" + String(scalar.value, radix: 16) + "}"
    }
  }

  /// In UTF-8 they begin with a byte below 0x20, with 0x7F, 0xC2 or 0xE2.
  private static func mayBeIn(_ text: String) -> Bool {
    text.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }
  }
}
