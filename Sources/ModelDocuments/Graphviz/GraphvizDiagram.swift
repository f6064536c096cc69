import StoreDiagnostics

/// A picture in the language of Graphviz, whose `dot` lays it out.
///
/// Each property is a row with a port, where the lines of a relationship begin and end: so a line says the
/// names of both its relationships without a text of its own.
package struct GraphvizDiagram {
  private let diagram: ModelDiagram
  private let title: String
  private let identifiers: [String]
  /// Of the rows of each box.
  private let ports: [[String]]

  package init(_ diagram: ModelDiagram, title: String) {
    self.diagram = diagram
    self.title = title
    // They are quoted, so that none is a keyword.
    var names = PartIdentifiers(prefix: "the ") { $0 != Self.legendName }
    identifiers = diagram.boxes.map { box in
      names.identifier(for: box.name, of: box.kind == .composite ? "composite " : "")
    }
    ports = diagram.boxes.map { box in
      // Those of two letters and less are points of the compass.
      var names = PartIdentifiers(prefix: "p_") { $0.count > 2 }
      return box.rows.map { names.identifier(for: $0.name) }
    }
  }

  private static let legendName = "legend"

  /// Lines that end in a line feed.
  package var text: String {
    let head = [
      "digraph \(title.quotedForGraphviz) {",
      "  graph [rankdir=LR, nodesep=0.3, ranksep=0.9, bgcolor=\"transparent\"]",
      """
        node [shape=plain, fontname="Helvetica,Arial,sans-serif", fontsize=11, \
      fontcolor="\(DiagramColors.text)"]
      """,
      "  edge [color=\"\(DiagramColors.line)\", arrowsize=0.8]",
    ]
    return
      (head + diagram.boxes.indices.flatMap(boxLines) + diagram.lines.map(line) + legend
      + ["}"]).map { $0 + "\n" }.joined()
  }

  // MARK: Boxes

  private func boxLines(of index: Int) -> [String] {
    let box = diagram.boxes[index]
    let stroke = box.mark?.colors.stroke ?? DiagramColors.line
    let rows = zip(box.rows, ports[index]).map(rowLine)
    return [
      "  \"\(identifiers[index])\" [class=\"\(box.pictureClass)\", label=<",
      """
          <TABLE BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="4" \
      COLOR="\(stroke)" BGCOLOR="\(DiagramColors.box)">
      """,
      "      <TR><TD BGCOLOR=\"\(box.color)\">\(headText(of: box))</TD></TR>",
    ] + (rows.isEmpty ? [] : ["      <HR/>"]) + rows + ["    </TABLE>>]"]
  }

  private func headText(of box: ModelDiagram.Box) -> String {
    let sign = box.mark.map { "\($0.sign) " } ?? ""
    let name = "<B>\(sign)\(box.name.markup)</B>"
    guard let stereotype = box.stereotype else { return name }
    let isAbstract = box.kind == .entity(isAbstract: true)
    return "<FONT POINT-SIZE=\"9\">«\(stereotype)»</FONT><BR/>"
      + (isAbstract ? "<I>\(name)</I>" : name)
  }

  private func rowLine(_ row: ModelDiagram.Row, port: String) -> String {
    let sign = row.mark.map { "\($0.sign) " } ?? ""
    let name = row.notes.contains("unique") ? "<U>\(row.name.markup)</U>" : row.name.markup
    let rest = ([row.typeText] + row.notes.map { "«\($0)»" }).joined(separator: " ")
    let color = row.mark.map { " BGCOLOR=\"\($0.colors.fill)\"" } ?? ""
    return """
            <TR><TD ALIGN="LEFT" PORT="\(port)"\(color)>\(sign)\(name)  \
      <FONT COLOR="\(DiagramColors.faintText)">\(rest.markup)</FONT></TD></TR>
      """
  }

  // MARK: Lines

  private func line(_ line: ModelDiagram.Line) -> String {
    var attributes: [String] = []
    if let mark = line.mark {
      attributes.append("color=\"\(mark.colors.stroke)\"")
      if mark == .removed { attributes.append("style=dashed") }
    }
    switch line.kind {
    case .inheritance:
      // The parent comes first in the layout.
      return statement(line.end, line.start, ["dir=back", "arrowtail=onormal"] + attributes)
    case .composite:
      return statement(line.start, line.end, ["style=dotted", "arrowhead=none"] + attributes)
    case .relationship:
      let startCount = line.isOwnInverse ? nil : line.start.count
      let tail = startCount.map { ["dir=both", "arrowtail=\($0.foot)"] } ?? []
      let head = line.end.count.map { ["arrowhead=\($0.foot)"] } ?? []
      return statement(line.start, line.end, tail + head + attributes)
    }
  }

  private func statement(
    _ start: ModelDiagram.End, _ end: ModelDiagram.End, _ attributes: [String]
  ) -> String {
    // A loop would lead around the whole picture.
    let side = start.box == end.box ? ":e" : ""
    let points = "\(point(start))\(side) -> \(point(end))\(side)"
    return "  \(points) [\(attributes.joined(separator: ", "))]"
  }

  private func point(_ end: ModelDiagram.End) -> String {
    "\"\(identifiers[end.box])\"" + (end.row.map { ":\(ports[end.box][$0])" } ?? "")
  }

  private var legend: [String] {
    guard diagram.showsChanges else { return [] }
    let rows = ChangeMark.allCases.map {
      "      <TR><TD ALIGN=\"LEFT\" BGCOLOR=\"\($0.colors.fill)\">\($0.sign) \($0.rawValue)</TD></TR>"
    }
    return [
      "  \(Self.legendName) [label=<",
      """
          <TABLE BORDER="1" CELLBORDER="0" CELLSPACING="0" CELLPADDING="4" \
      COLOR="\(DiagramColors.line)" BGCOLOR="\(DiagramColors.box)">
      """,
    ] + rows + ["    </TABLE>>]"]
  }
}

extension ModelDiagram.Count {
  /// The crow's foot nearest to the box comes first.
  fileprivate var foot: String { (isMany ? "crow" : "tee") + (minimum == 0 ? "odot" : "tee") }
}

extension String {
  /// A string of the language, in which a backslash only escapes a quote.
  fileprivate var quotedForGraphviz: String {
    "\""
      + ControlCharacters.escaped(in: self).replacing("\\", with: "\\\\").replacing(
        "\"", with: "\\\"") + "\""
  }
}
