extension PlacedDiagram {
  /// Lines that end in a line feed. The page behind it shows through.
  package var text: String {
    let (width, height) = (Int(size.x.rounded(.up)), Int(size.y.rounded(.up)))
    let head = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="Helvetica,Arial,sans-serif" \
      font-size="\(Int(Self.fontSize))">
      """,
      "  <title>\(title.markup)</title>",
    ]
    let boxes = diagram.boxes.indices.flatMap(boxLines)
    return (head + diagram.lines.map(lineText) + boxes + legend + ["</svg>"])
      .map { $0 + "\n" }.joined()
  }

  private func boxLines(of index: Int) -> [String] {
    let (box, place) = (diagram.boxes[index], rectangles[index])
    let stroke = box.mark?.colors.stroke ?? DiagramColors.line
    let frame =
      "x=\"\(place.x.short)\" y=\"\(place.y.short)\" width=\"\(place.width.short)\""
    var lines = [
      "  <rect \(frame) height=\"\(place.height.short)\" fill=\"\(DiagramColors.box)\" "
        + "stroke=\"\(stroke)\"/>",
      "  <rect \(frame) height=\"\(box.headHeight.short)\" fill=\"\(box.color)\" "
        + "stroke=\"\(stroke)\"/>",
    ]
    let center = (place.x + place.width / 2).short
    if let stereotype = box.stereotype {
      lines.append(
        "  <text x=\"\(center)\" y=\"\((place.y + 13).short)\" text-anchor=\"middle\" "
          + "font-size=\"9\" fill=\"\(DiagramColors.text)\">«\(stereotype)»</text>")
    }
    let style = box.kind == .entity(isAbstract: true) ? " font-style=\"italic\"" : ""
    lines.append(
      "  <text x=\"\(center)\" y=\"\((place.y + box.headHeight - 8).short)\" "
        + "text-anchor=\"middle\" font-weight=\"bold\"\(style) fill=\"\(DiagramColors.text)\">"
        + "\(box.headText.markup)</text>")
    // The page of browse finds the boxes by the class of the group.
    let head = ["  <g class=\"node \(box.pictureClass)\">", "  <title>\(box.name.markup)</title>"]
    let rows = box.rows.indices.flatMap { rowLines(box.rows[$0], number: $0, in: index) }
    return head + lines + rows + ["  </g>"]
  }

  private func rowLines(_ row: ModelDiagram.Row, number: Int, in index: Int) -> [String] {
    let place = rectangles[index]
    let middle = height(of: ModelDiagram.End(box: index, row: number, count: nil))
    var lines: [String] = []
    if let mark = row.mark {
      lines.append(
        "  <rect x=\"\((place.x + 1).short)\" y=\"\((middle - Self.rowHeight / 2).short)\" "
          + "width=\"\((place.width - 2).short)\" height=\"\(Self.rowHeight.short)\" "
          + "fill=\"\(mark.colors.fill)\"/>")
    }
    let underline = row.notes.contains("unique") ? " text-decoration=\"underline\"" : ""
    lines.append(
      "  <text x=\"\((place.x + Self.padding).short)\" y=\"\((middle + 4).short)\" "
        + "fill=\"\(DiagramColors.text)\"><tspan\(underline)>\(row.nameText.markup)</tspan>"
        + "<tspan dx=\"6\" fill=\"\(DiagramColors.faintText)\">\(row.restText.markup)</tspan>"
        + "</text>")
    return lines
  }

  private var legend: [String] {
    guard diagram.showsChanges else { return [] }
    return ChangeMark.allCases.enumerated().flatMap { index, mark in
      let (x, y) = (56 + Double(index) * 85, size.y - 34)
      return [
        "  <rect x=\"\(x.short)\" y=\"\(y.short)\" width=\"78\" height=\"18\" "
          + "fill=\"\(mark.colors.fill)\" stroke=\"\(mark.colors.stroke)\"/>",
        "  <text x=\"\((x + 8).short)\" y=\"\((y + 13).short)\" "
          + "fill=\"\(DiagramColors.text)\">\(mark.sign) \(mark.rawValue)</text>",
      ]
    }
  }
}

extension Double {
  /// With one digit behind the point, and none where that is a zero.
  var short: String {
    let tenths = (self * 10).rounded()
    return tenths.truncatingRemainder(dividingBy: 10) == 0
      ? "\(Int(tenths / 10))" : "\(tenths / 10)"
  }
}
