/// The line around a mark and the carets under it, cut to what a terminal shows in one line.
struct ExcerptLines {
  /// What is shown of the line: in front of the mark, the mark, and behind it.
  private var before: [Character]
  private var marked: [Character]
  private var after: [Character]
  private let note: String?

  /// - Parameter width: of the terminal in cells; nil cuts nothing.
  init(_ excerpt: Diagnostic.Excerpt, within width: Int?) {
    let bytes = Array(excerpt.text.utf8)
    let start = min(max(excerpt.range.lowerBound, 0), bytes.count)
    let newline = UInt8(ascii: "\n")
    // Of a long line only what is near the mark is looked at.
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

  /// The excerpt, the carets, and the note behind them, on a line of its own where it finds no room.
  func lines(within width: Int?) -> [String] {
    // Tabs keep their width only when the caret line has them too.
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

  /// Cuts the line around the mark to `room` cells.
  private mutating func fit(_ room: Int) {
    guard Self.width(before) + Self.width(marked) + Self.width(after) > room, room > 4 else {
      return
    }
    // Where a tab leads to depends on what is cut away in front of it.
    before = before.map { $0 == "\t" ? " " : $0 }
    after = after.map { $0 == "\t" ? " " : $0 }
    marked = Self.prefix(of: marked.map { $0 == "\t" ? " " : $0 }, within: room - 2)
    let rest = room - max(1, Self.width(marked))
    // What one side does not need is the other's.
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

  /// A tab leads at most so far.
  private static func width(_ character: Character) -> Int {
    character == "\t" ? 8 : DisplayWidth.of(character)
  }
}
