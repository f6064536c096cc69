import StoreDiagnostics

/// How wide a text is where no font can be asked: by Helvetica's widths, with room for wider fonts.
enum TextWidth {
  /// For letters of a height of 1.
  static func of(_ text: String) -> Double {
    text.reduce(0) { $0 + of($1) } * roomForOtherFonts
  }

  private static let roomForOtherFonts = 1.12

  private static func of(_ character: Character) -> Double {
    guard let ascii = character.asciiValue else {
      return DisplayWidth.of(character) == 2 ? 1 : 0.6
    }
    switch ascii {
    case UInt8(ascii: "i"), UInt8(ascii: "j"), UInt8(ascii: "l"), UInt8(ascii: "'"): return 0.22
    case UInt8(ascii: "I"), UInt8(ascii: "f"), UInt8(ascii: "t"), UInt8(ascii: "r"): return 0.3
    case UInt8(ascii: "m"), UInt8(ascii: "M"), UInt8(ascii: "w"): return 0.83
    case UInt8(ascii: "W"), UInt8(ascii: "@"), UInt8(ascii: "%"): return 1
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): return 0.72
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "+"):
      return 0.56
    default: return 0.34
    }
  }
}
