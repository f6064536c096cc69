/// Formats diagnostics as the text that docs/cli.md defines. Control characters are escaped, except tabs in excerpts.
///
///     People/contents:12:52: error: 'Person' has no property 'nmae' [predicate.unknown-key-path]
///       nmae == $NAME
///       ^^^^ in fetch request 'peopleFR'
///       help: did you mean 'name'?
public struct DiagnosticRenderer: Sendable {
  /// Whether to use ANSI colors, for terminals.
  public var color: Bool
  /// The width of the terminal in cells, or nil for no limit. Longer lines of excerpts are cut to the part with the
  /// marked text.
  public var width: Int?
  private let wording: any DiagnosticWording

  /// Creates a renderer.
  ///
  /// - Parameters:
  ///   - color: whether to use ANSI colors.
  ///   - width: the width of the terminal in cells, or nil for no limit.
  ///   - wording: the sentences with the user interface's names for options, parameters and commands.
  public init(
    color: Bool = false, width: Int? = nil, wording: any DiagnosticWording = NeutralWording()
  ) {
    self.color = color
    self.width = width
    self.wording = wording
  }

  /// Returns a diagnostic as text. Each line ends with a newline.
  ///
  /// - Parameter diagnostic: the diagnostic.
  public func render(_ diagnostic: DiagnosticMessage) -> String {
    var lines = [headline(diagnostic)]
    if let excerpt = diagnostic.excerpt {
      lines += ExcerptLines(excerpt, within: width).lines(within: width)
    }
    lines += diagnostic.help.map {
      "  " + paint("help:", .bold) + " " + ControlCharacters.escaped(in: wording.sentence(for: $0))
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func headline(_ diagnostic: DiagnosticMessage) -> String {
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

/// Sentences with the names of a user interface's options, parameters or commands. Libraries don't contain these names.
public protocol DiagnosticWording: Sendable {
  /// Returns the sentence that suggests a remedy.
  func sentence(for remedy: DiagnosticRemedy) -> String
  /// Returns the sentence that describes an issue of an argument.
  func sentence(for problem: ArgumentIssue) -> String
}

/// A wording without names of options, parameters or commands.
public struct NeutralWording: DiagnosticWording {
  /// Creates the wording.
  public init() {}

  public func sentence(for remedy: DiagnosticRemedy) -> String { remedy.description }
  public func sentence(for problem: ArgumentIssue) -> String { problem.sentence }
}

extension DiagnosticMessage {
  /// Returns the message in the wording of an interface.
  ///
  /// - Parameter wording: the wording.
  public func message(in wording: any DiagnosticWording) -> String {
    argumentIssue.map(wording.sentence) ?? message
  }
}

/// An issue of a request's argument. It is data, because each user interface has its own name for the argument.
public enum ArgumentIssue: Hashable, Sendable {
  /// An import has mapping rules, but no entity to whose properties they map.
  case rulesWithoutEntity
  /// The path in a mapping rule continues after `key`, a to-many relationship.
  case ruleThroughToMany(rule: String, key: String)
  /// The path in a mapping rule continues after `key`, a property of `entity` that isn't a relationship.
  case ruleWithoutRelationship(rule: String, key: String, entity: String)
  /// A mapping rule contains `key`, which isn't a property of `entity`.
  case ruleWithUnknownProperty(rule: String, key: String, entity: String)
  /// The allowed losses of a migration contain a name that isn't a part of the model.
  case unknownLoss(String)
  /// A request filters groups but doesn't group its rows.
  case groupFilterWithoutGroups

  /// The issue as a sentence without names of options or parameters.
  var sentence: String {
    switch self {
    case .rulesWithoutEntity: "the rules of a mapping require an entity"
    case .ruleThroughToMany(let rule, let key):
      "the rule '\(rule)' continues after '\(key)', which is a to-many relationship"
    case .ruleWithoutRelationship(let rule, let key, let entity):
      "the rule '\(rule)': '\(key)' of '\(entity)' isn't a relationship"
    case .ruleWithUnknownProperty(let rule, let key, let entity):
      "the rule '\(rule)': '\(entity)' has no property '\(key)'"
    case .unknownLoss(let name): "unknown name '\(name)' in the allowed losses"
    case .groupFilterWithoutGroups: "the filter of groups requires groups"
    }
  }
}

/// The line of an excerpt that contains the marked text, cut to the width of a terminal, and the carets below it.
struct ExcerptLines {
  /// The visible parts of the line: before the marked text, the marked text, and after it.
  private var before: [Character]
  private var marked: [Character]
  private var after: [Character]
  private let note: String?

  /// - Parameter width: the width of the terminal in cells, or nil for no limit.
  init(_ excerpt: DiagnosticMessage.Excerpt, within width: Int?) {
    let bytes = Array(excerpt.text.utf8)
    let start = min(max(excerpt.range.lowerBound, 0), bytes.count)
    let newline = UInt8(ascii: "\n")
    // Of a long line, only the text near the marked range is examined.
    let first = Self.scalarStart(atOrAfter: start - Self.widestBefore, in: bytes)
    let last = Self.scalarStart(atOrAfter: start + Self.widestAfter, in: bytes)
    let lineStart = bytes[first..<start].lastIndex(of: newline).map { $0 + 1 } ?? first
    let lineEnd = bytes[start..<last].firstIndex(of: newline) ?? last
    let end = min(max(excerpt.range.upperBound, start), lineEnd)
    before = Self.shown(bytes[lineStart..<start])
    marked = Self.shown(bytes[start..<end])
    after = Self.shown(bytes[end..<lineEnd])
    note = excerpt.note.map { ControlCharacters.escaped(in: $0) }
    if let width { fit(width - Self.margin.count) }
  }

  private static let margin = "  "
  private static let widestBefore = 240
  private static let widestAfter = 320

  /// Returns the line of text and the line of carets. The note follows the carets, or is a third line if it's too long.
  func lines(within width: Int?) -> [String] {
    // The width of a tab depends on its column. Both lines therefore begin with the same tabs.
    let indent = before.map { $0 == "\t" ? "\t" : String(repeating: " ", count: Self.width($0)) }
      .joined()
    let carets =
      Self.margin + indent
      + String(repeating: "^", count: max(1, marked.reduce(0) { $0 + DisplayWidth.of($1) }))
    let text = Self.margin + String(before + marked + after)
    guard let note else { return [text, carets] }
    let length = Self.margin.count + Self.width(before) + Self.width(marked) + 1
    guard let width, length + DisplayWidth.of(note) > width else {
      return [text, "\(carets) \(note)"]
    }
    return [text, carets, Self.margin + note]
  }

  // MARK: Cutting

  /// Cuts the line to `room` cells, so that the marked text remains visible.
  private mutating func fit(_ room: Int) {
    guard Self.width(before) + Self.width(marked) + Self.width(after) > room, room > 4 else {
      return
    }
    // Tabs become spaces, because the width of a tab depends on the text before it, which is cut.
    before = before.map { $0 == "\t" ? " " : $0 }
    after = after.map { $0 == "\t" ? " " : $0 }
    marked = Self.prefix(of: marked.map { $0 == "\t" ? " " : $0 }, within: room - 2)
    let rest = room - max(1, Self.width(marked))
    // `before` and `after` each get half of the remaining cells, and the cells that the other one doesn't need.
    let behind = min(Self.width(after), max(rest / 2, rest - Self.width(before)))
    before = Self.suffix(of: before, within: rest - behind)
    after = Self.prefix(of: after, within: rest - Self.width(before))
  }

  private static func prefix(of characters: [Character], within room: Int) -> [Character] {
    guard width(characters) > room else { return characters }
    guard room > 0 else { return [] }
    var used = 1
    let kept = characters.prefix { character in
      used += width(character)
      return used <= room
    }
    return kept + ["…"]
  }

  private static func suffix(of characters: [Character], within room: Int) -> [Character] {
    prefix(of: characters.reversed(), within: room).reversed()
  }

  // MARK: Characters

  private static func scalarStart(atOrAfter offset: Int, in bytes: [UInt8]) -> Int {
    let offset = min(max(offset, 0), bytes.count)
    return bytes[offset...].firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
  }

  private static func shown(_ bytes: ArraySlice<UInt8>) -> [Character] {
    Array(
      ControlCharacters.escaped(in: String(decoding: bytes, as: UTF8.self), keeping: ["\t"]))
  }

  private static func width(_ characters: [Character]) -> Int {
    characters.reduce(0) { $0 + width($1) }
  }

  /// Returns the width of a character in cells. For a tab, it is the maximum, 8.
  private static func width(_ character: Character) -> Int {
    character == "\t" ? 8 : DisplayWidth.of(character)
  }
}

/// The width of text in terminal cells: East Asian wide characters and emoji occupy two cells, combining marks none.
public enum DisplayWidth {
  /// Returns the number of cells of a text.
  public static func of(_ text: some StringProtocol) -> Int {
    var width = 0
    for scalar in text.unicodeScalars {
      // Finding the boundaries of characters takes most of the time, so it is limited to text that requires it.
      guard let cells = ofSeparate(scalar.value) else { return text.reduce(0) { $0 + of($1) } }
      width += cells
    }
    return width
  }

  /// Returns the number of cells of a scalar that is a character by itself beside other such scalars, according to
  /// Unicode's annex 29. Returns nil for other scalars, such as combining marks, and for rare ones.
  private static func ofSeparate(_ scalar: UInt32) -> Int? {
    switch scalar {
    case 0x20...0x7E, 0xC0...0x2FF, 0x370...0x482: 1
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3: 2
    default: nil
    }
  }

  /// Returns the number of cells of a character.
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

  /// Returns the text if it fits in `width` cells, otherwise its beginning with `…` at the end.
  package static func cut(_ text: String, to width: Int) -> String {
    // A text of at most `width` bytes fits, because no character occupies more cells than bytes.
    guard text.utf8.count > width, of(text) > width else { return text }
    var room = width - 1
    let kept = text.prefix { character in
      room -= of(character)
      return room >= 0
    }
    return width > 0 ? kept + "…" : ""
  }

  /// Returns whether the scalar is in a wide or full-width block of Unicode's East Asian Width annex.
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

/// Characters that control a terminal instead of being displayed.
///
/// Text in a store or a model can contain control characters. In output for people, they are escaped as `\n`, `\t` or
/// `\u{1b}`.
package enum ControlCharacters {
  /// Returns the text, with all control characters escaped except those in `kept`.
  package static func escaped(in text: String, keeping kept: [Unicode.Scalar] = []) -> String {
    // Most text has no control characters, and checking the bytes is faster than decoding the scalars.
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

  /// Returns whether a scalar is a C0 or C1 control, DEL, or an embedding, override or isolate of bidirectional text.
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

  /// Returns false only if the text has no control characters. In UTF-8, all of them begin with a byte below 0x20, or
  /// with 0x7F, 0xC2 or 0xE2.
  private static func mayBeIn(_ text: String) -> Bool {
    text.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }
  }
}
