import StoreDiagnostics

/// The text of a merge: the merged parts, and both variants of conflicts.
struct MergedText {
  /// A merged part of the text, or the two variants of a part with one or more conflicts. `numbers` contains the
  /// indices of these conflicts. In `parts`, each part consists of whole lines.
  enum Part: Equatable {
    case certain(String)
    case conflict(ours: String, theirs: String, numbers: [Int])
  }

  private(set) var parts: [Part] = []

  var hasConflicts: Bool {
    parts.contains { if case .conflict = $0 { true } else { false } }
  }

  init(_ root: MergedNode, rest: String) {
    var writer = Writer()
    writer.write(root)
    writer.add(rest)
    writer.finish()
    parts = Self.wholeLines(writer.parts)
  }

  /// Creates one conflict from two texts. Common lines at the start and at the end aren't part of the conflict.
  init(ours: String, theirs: String) {
    parts = Self.narrowed(ours, theirs, [0])
  }

  private struct Writer {
    private(set) var parts: [Part] = []
    /// The text after the last part.
    private var text = ""

    mutating func add(_ more: String) { text += more }

    mutating func add(_ conflict: Part) {
      finish()
      parts.append(conflict)
    }

    mutating func finish() {
      if !text.isEmpty { parts.append(.certain(text)) }
      text = ""
    }

    mutating func write(_ node: MergedNode) {
      switch node {
      case .kept(let element): element.write(to: &text)
      case .conflict(let ours, let theirs, let number):
        add(
          .conflict(ours: ours?.text ?? "", theirs: theirs?.text ?? "", numbers: [number]))
      case .element(let element): write(element)
      }
    }

    private mutating func write(_ element: MergedElement) {
      add(element.lead)
      if element.conflicts.isEmpty {
        add(element.tag.ours)
      } else {
        add(
          .conflict(
            ours: element.tag.ours, theirs: element.tag.theirs, numbers: element.conflicts))
      }
      add(element.isClosed ? "/>" : ">")
      guard !element.isClosed else { return }
      for child in element.children { write(child) }
      add(element.closingLead)
      add(element.closing)
    }
  }

  /// Extends each conflict to whole lines, and then removes common lines at its start and at its end.
  private static func wholeLines(_ parts: [Part]) -> [Part] {
    var result: [Part] = []
    var index = 0
    while index < parts.count {
      guard case .conflict(var ours, var theirs, var numbers) = parts[index] else {
        result.append(parts[index])
        index += 1
        continue
      }
      let before = takeLastLine(from: &result)
      (ours, theirs) = (before + ours, before + theirs)
      index += 1
      var rest = ""
      widening: while index < parts.count {
        switch parts[index] {
        case .conflict(let own, let other, let more):
          (ours, theirs) = (ours + own, theirs + other)
          numbers += more
        case .certain(let text):
          let end = text.firstIndex(of: "\n").map { text.index(after: $0) } ?? text.endIndex
          (ours, theirs) = (ours + text[..<end], theirs + text[..<end])
          rest = String(text[end...])
          if text.contains("\n") {
            index += 1
            break widening
          }
        }
        index += 1
      }
      result += narrowed(ours, theirs, numbers)
      if !rest.isEmpty { result.append(.certain(rest)) }
    }
    return result
  }

  /// Removes and returns the text after the last line break of the merged text.
  private static func takeLastLine(from parts: inout [Part]) -> String {
    guard case .certain(let text)? = parts.last else { return "" }
    let start = text.lastIndex(of: "\n").map { text.index(after: $0) } ?? text.startIndex
    parts[parts.count - 1] = .certain(String(text[..<start]))
    return String(text[start...])
  }

  private static func narrowed(
    _ ours: String, _ theirs: String, _ numbers: [Int]
  ) -> [Part] {
    var (own, other) = (lines(of: ours)[...], lines(of: theirs)[...])
    var (before, after) = ("", "")
    while let line = own.first, line.isExactly(other.first) {
      before += line
      (own, other) = (own.dropFirst(), other.dropFirst())
    }
    while let line = own.last, line.isExactly(other.last) {
      after = line + after
      (own, other) = (own.dropLast(), other.dropLast())
    }
    return [
      .certain(before),
      .conflict(ours: own.joined(), theirs: other.joined(), numbers: numbers),
      .certain(after),
    ]
  }

  private static func lines(of text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0 + "\n" }
    // The part after the last line break can be empty.
    let last = lines.popLast()?.dropLast() ?? ""
    return lines.map { String($0) } + (last.isEmpty ? [] : [String(last)])
  }
}
