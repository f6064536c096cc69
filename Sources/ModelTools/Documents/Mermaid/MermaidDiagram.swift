import StoreDiagnostics

/// A model diagram as the text of a Mermaid class diagram, which GitHub, GitLab and many editors draw.
///
/// It isn't an `erDiagram`, because that doesn't support inheritance.
package struct MermaidDiagram {
  private let diagram: ModelDiagram
  private let identifiers: [String]
  /// The lines that are drawn. If several lines lead from a class to itself, none of them is drawn, because they would
  /// overlap in Mermaid.
  private let drawnLines: [ModelDiagram.Line]

  package init(_ diagram: ModelDiagram) {
    self.diagram = diagram
    let loops = Dictionary(grouping: diagram.lines.filter(\.isLoop), by: \.start.box)
    drawnLines = diagram.lines.filter { !$0.isLoop || loops[$0.start.box]?.count == 1 }
    var names = ClassIdentifiers()
    identifiers = diagram.boxes.map { box in
      names.identifier(for: box.name, of: box.kind == .composite ? "composite_" : "")
    }
  }

  /// The text, which ends with a line feed.
  package var text: String {
    // Mermaid requires at least one statement.
    (["classDiagram"] + (diagram.boxes.isEmpty ? ["  direction TB"] : [])
      + diagram.boxes.indices.flatMap(classLines)
      + drawnLines.map(line) + legend).map { $0 + "\n" }.joined()
  }

  private func classLines(of index: Int) -> [String] {
    let box = diagram.boxes[index]
    let sign = box.mark.map { "\($0.sign) " } ?? ""
    var head = "  class \(identifiers[index])"
    if identifiers[index] != box.name || !sign.isEmpty {
      head += "[\"\(sign)\(box.name.mermaidLabel)\"]"
    }
    let rows = rowLines(of: index)
    guard box.stereotype != nil || !rows.isEmpty else { return [head] }
    return [head + " {"] + (box.stereotype.map { ["    <<\($0)>>"] } ?? []) + rows + ["  }"]
  }

  /// Returns the text lines for attributes, fetched properties, and relationships that aren't drawn as lines.
  private func rowLines(of index: Int) -> [String] {
    let drawn = Set(
      drawnLines.filter { $0.kind == .relationship }.flatMap { [$0.start, $0.end] }
        .filter { $0.box == index }.compactMap(\.row))
    return diagram.boxes[index].rows.enumerated().filter { offset, row in
      row.kind != .relationship || !drawn.contains(offset)
    }.map { offset, row in
      let notes = (row.notes + inverse(ofRow: offset, in: index)).map { " «\($0.mermaid)»" }
      let sign = row.mark?.sign ?? ""
      let type = row.typeText(naming: row.type.mermaid)
      return "    \(sign)\(row.name.mermaid) \(type)\(notes.joined())"
    }
  }

  /// Returns a note with the inverse of a relationship, if both are in the same class and aren't drawn as a line.
  private func inverse(ofRow row: Int, in box: Int) -> [String] {
    diagram.lines.filter { $0.isLoop && $0.start.box == box }.compactMap { line in
      let other = line.start.row == row ? line.end.row : line.end.row == row ? line.start.row : nil
      return other.map { "inverse \(diagram.boxes[box].rows[$0].name)" }
    }
  }

  private func line(_ line: ModelDiagram.Line) -> String {
    let (start, end) = (identifiers[line.start.box], identifiers[line.end.box])
    let sign = line.mark.map { "\($0.sign) " } ?? ""
    switch line.kind {
    // The parent is first, so that it is drawn above.
    case .inheritance:
      return "  \(end) <|-- \(start)" + (line.mark.map { " : \($0.sign)" } ?? "")
    case .composite: return "  \(start) *-- \(end) : \(sign)\(name(of: line.start))"
    case .relationship:
      let counts = (
        line.start.count.map { "\"\($0)\" " } ?? "", line.end.count.map { "\"\($0)\" " } ?? ""
      )
      let arrow = line.end.row == nil ? "-->" : "--"
      let names =
        line.end.row == nil || line.isOwnInverse
        ? name(of: line.start) : "\(name(of: line.start)) / \(name(of: line.end))"
      return "  \(start) \(counts.0)\(arrow) \(counts.1)\(end) : \(sign)\(names)"
    }
  }

  private func name(of end: ModelDiagram.End) -> String {
    end.row.map { diagram.boxes[end.box].rows[$0].name.mermaidLabel } ?? ""
  }

  /// The legend and the colors of marked boxes. The colors suit light and dark pages, because the text is dark on a
  /// light background.
  private var legend: [String] {
    guard diagram.showsChanges else { return [] }
    return ["  class legend[\"+ added, ~ changed, - removed\"]"]
      + zip(identifiers, diagram.boxes).compactMap { identifier, box in
        box.mark.map { mark in
          let (fill, stroke) = mark.colors
          return "  style \(identifier) fill:\(fill),stroke:\(stroke),color:\(DiagramColors.text)"
        }
      }
  }
}

extension String {
  /// The text in Mermaid's notation without spaces. It is used outside of a class, where a label such as `direction LR`
  /// could be a statement.
  fileprivate var mermaidLabel: String { mermaid.replacing(" ", with: "#32;") }

  /// The text in Mermaid's notation: characters other than letters, digits, underscores and spaces become codes, and
  /// angle brackets are replaced.
  fileprivate var mermaid: String {
    var text = ""
    for scalar in ControlCharacters.escaped(in: self).unicodeScalars {
      switch scalar {
      // Even as a code, an angle bracket would begin a tag, and Mermaid would draw nothing.
      case "<": text += "‹"
      case ">": text += "›"
      case " ": text += " "
      // An underscore at the start could begin emphasis.
      case "_" where text.isEmpty: text += "#95;"
      case "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default:
        if scalar.isWord || (!scalar.isASCII && scalar.properties.isAlphabetic) {
          text.unicodeScalars.append(scalar)
        } else {
          text += "#\(scalar.value);"
        }
      }
    }
    return text
  }
}

/// Creates the identifiers of a diagram's boxes. The name itself is used if it is unambiguous, so that few lines of a
/// diagram in version control change.
private struct ClassIdentifiers {
  private var taken: Set<String> = []

  mutating func identifier(for name: String, of kind: String) -> String {
    let word = String(String.UnicodeScalarView(name.unicodeScalars.map { $0.isWord ? $0 : "_" }))
    // A name that begins with an upper-case letter isn't a keyword of Mermaid, unless it is a direction.
    let isPlain =
      word == name && name.first?.isUppercase == true && !["TB", "BT", "LR", "RL"].contains(name)
    let wanted = isPlain ? name : "the_" + kind + word
    var identifier = wanted
    var number = 2
    while !taken.insert(identifier).inserted {
      identifier = "\(wanted)_\(number)"
      number += 1
    }
    return identifier
  }
}

extension Unicode.Scalar {
  /// Whether the character is an ASCII letter, a digit or an underscore.
  var isWord: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }
}
