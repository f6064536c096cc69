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
  /// The cells of the terminal: a longer excerpt is cut around its mark. Nil cuts nothing.
  public var width: Int?
  private let wording: any DiagnosticWording

  /// - Parameter wording: the words of the interface that the text is for.
  public init(
    color: Bool = false, width: Int? = nil, wording: any DiagnosticWording = NeutralWording()
  ) {
    self.color = color
    self.width = width
    self.wording = wording
  }

  /// The lines of one diagnostic, ending with a newline.
  public func render(_ diagnostic: Diagnostic) -> String {
    var lines = [headline(diagnostic)]
    if let excerpt = diagnostic.excerpt {
      lines += ExcerptLines(excerpt, within: width).lines(within: width)
    }
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
