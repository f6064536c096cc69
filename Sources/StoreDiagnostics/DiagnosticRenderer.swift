/// Prints diagnostics for people, in the form that the command-line contract fixes.
///
///     People/contents:12:52: error: 'Person' has no property 'nmae' [predicate.unknown-key-path]
///       nmae == $NAME
///       ^^^^ in fetch request 'peopleFR'
///       help: did you mean 'name'?
public struct DiagnosticRenderer: Sendable {
  /// ANSI colours: for a terminal only.
  public var colour: Bool

  public init(colour: Bool = false) {
    self.colour = colour
  }

  /// The lines of one diagnostic, ending with a newline.
  public func render(_ diagnostic: Diagnostic) -> String {
    var lines = [headline(diagnostic)]
    if let excerpt = diagnostic.excerpt { lines += Self.caretLines(excerpt) }
    lines += diagnostic.help.map { "  " + paint("help:", .bold) + " " + $0 }
    return lines.map { $0 + "\n" }.joined()
  }

  private func headline(_ diagnostic: Diagnostic) -> String {
    let place = diagnostic.place.map { "\($0): " } ?? ""
    let tint: Style =
      switch diagnostic.severity {
      case .error: .red
      case .warning: .yellow
      case .note: .cyan
      }
    return place + paint("\(diagnostic.severity.rawValue):", tint)
      + " \(diagnostic.message) [\(diagnostic.code)]"
  }

  private static func caretLines(_ excerpt: Diagnostic.Excerpt) -> [String] {
    let bytes = Array(excerpt.text.utf8)
    let start = min(max(excerpt.range.lowerBound, 0), bytes.count)
    let newline = UInt8(ascii: "\n")
    let lineStart = bytes[..<start].lastIndex(of: newline).map { $0 + 1 } ?? 0
    let lineEnd = bytes[start...].firstIndex(of: newline) ?? bytes.count
    let end = min(max(excerpt.range.upperBound, start), lineEnd)
    // Tabs keep their width only when the caret line has them too.
    let before = String(decoding: bytes[lineStart..<start], as: UTF8.self)
    let indent = before.map { $0 == "\t" ? "\t" : String(repeating: " ", count: width($0)) }
      .joined()
    let marked = String(decoding: bytes[start..<end], as: UTF8.self)
    let carets = String(repeating: "^", count: max(1, marked.reduce(0) { $0 + width($1) }))
    let note = excerpt.note.map { " " + $0 } ?? ""
    return [
      "  " + String(decoding: bytes[lineStart..<lineEnd], as: UTF8.self),
      "  " + indent + carets + note,
    ]
  }

  private static func width(_ character: Character) -> Int { DisplayWidth.of(character) }

  private enum Style: String {
    case red = "31"
    case yellow = "33"
    case cyan = "36"
    case bold = "1"
  }

  private func paint(_ text: String, _ style: Style) -> String {
    colour ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
