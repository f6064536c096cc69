/// How many terminal cells a text takes: East Asian wide characters and emoji two, marks none.
public enum DisplayWidth {
  /// The cells of a whole text.
  public static func of(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + of($1) }
  }

  /// The cells of one character.
  public static func of(_ character: Character) -> Int {
    if let ascii = character.asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    if first.properties.isEmojiPresentation { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return isWide(first.value) ? 2 : 1
    }
  }

  /// The text within so many cells: what does not fit is cut off, with `…` in its place.
  package static func cut(_ text: String, to width: Int) -> String {
    // No character takes more cells than bytes.
    guard text.utf8.count > width, of(text) > width else { return text }
    var room = width - 1
    let kept = text.prefix { character in
      room -= of(character)
      return room >= 0
    }
    return width > 0 ? kept + "…" : ""
  }

  /// The wide and full-width blocks of Unicode's East Asian Width annex.
  private static func isWide(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
