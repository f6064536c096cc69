/// Prints diagnostics for people, in the form that the command-line contract fixes. Control characters
/// of the user's text are shown, not sent.
///
///     People/contents:12:52: error: 'Person' has no property 'nmae' [predicate.unknown-key-path]
///       nmae == $NAME
///       ^^^^ in fetch request 'peopleFR'
///       help: did you mean 'name'?
public struct DiagnosticRenderer: Sendable {
  /// ANSI colors: for a terminal only.
  public var color: Bool
  private let wording: any DiagnosticWording

  /// - Parameter wording: the words of the interface that the text is for.
  public init(color: Bool = false, wording: any DiagnosticWording = NeutralWording()) {
    self.color = color
    self.wording = wording
  }

  /// The lines of one diagnostic, ending with a newline.
  public func render(_ diagnostic: Diagnostic) -> String {
    var lines = [headline(diagnostic)]
    if let excerpt = diagnostic.excerpt { lines += Self.caretLines(excerpt) }
    lines += diagnostic.help.map {
      "  " + paint("help:", .bold) + " " + ControlCharacters.escaped(in: wording.sentence(for: $0))
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func headline(_ diagnostic: Diagnostic) -> String {
    let place = diagnostic.place.map { ControlCharacters.escaped(in: "\($0): ") } ?? ""
    let message = ControlCharacters.escaped(in: diagnostic.message(in: wording))
    let tint: Style =
      switch diagnostic.severity {
      case .error: .red
      case .warning: .yellow
      case .note: .cyan
      }
    return place + paint("\(diagnostic.severity.rawValue):", tint)
      + " \(message) [\(diagnostic.code)]"
  }

  private static func caretLines(_ excerpt: Diagnostic.Excerpt) -> [String] {
    let bytes = Array(excerpt.text.utf8)
    let start = min(max(excerpt.range.lowerBound, 0), bytes.count)
    let newline = UInt8(ascii: "\n")
    // Of a long line only what is near the mark is shown.
    let first = scalarStart(atOrAfter: start - widestBefore, in: bytes)
    let last = scalarStart(atOrAfter: start + widestAfter, in: bytes)
    let lineStart = bytes[first..<start].lastIndex(of: newline).map { $0 + 1 } ?? first
    let lineEnd = bytes[start..<last].firstIndex(of: newline) ?? last
    let end = min(max(excerpt.range.upperBound, start), lineEnd)
    let before = shown(bytes[lineStart..<start])
    // Tabs keep their width only when the caret line has them too.
    let indent = before.map { $0 == "\t" ? "\t" : String(repeating: " ", count: width($0)) }
      .joined()
    let marked = shown(bytes[start..<end])
    let carets = String(repeating: "^", count: max(1, marked.reduce(0) { $0 + width($1) }))
    let note = excerpt.note.map { " " + ControlCharacters.escaped(in: $0) } ?? ""
    return [
      "  " + before + marked + shown(bytes[end..<lineEnd]),
      "  " + indent + carets + note,
    ]
  }

  private static let widestBefore = 240
  private static let widestAfter = 320

  private static func scalarStart(atOrAfter offset: Int, in bytes: [UInt8]) -> Int {
    let offset = min(max(offset, 0), bytes.count)
    return bytes[offset...].firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
  }

  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    ControlCharacters.escaped(in: String(decoding: bytes, as: UTF8.self), keeping: ["\t"])
  }

  private static func width(_ character: Character) -> Int { DisplayWidth.of(character) }

  private enum Style: String {
    case red = "31"
    case yellow = "33"
    case cyan = "36"
    case bold = "1"
  }

  private func paint(_ text: String, _ style: Style) -> String {
    color ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
