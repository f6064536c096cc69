import StoreDiagnostics
package import StoreModel

/// A model diagram as SVG. The boxes have their positions from Xcode's editor or, if no entity has a position, are
/// arranged in columns.
package struct PlacedDiagram {
  let diagram: ModelDiagram
  let title: String
  /// The rectangles of the boxes, in the order of the diagram's boxes.
  let rectangles: [Rectangle]

  static let fontSize = 11.0
  static let rowHeight = 17.0
  static let padding = 8.0
  /// The margin on the left and right for lines that leave boxes there.
  private static let margin = 56.0

  /// - Parameter frames: the positions of entities in Xcode's editor, by the entity's name. Boxes without a position
  ///   are placed below the others.
  package init(_ diagram: ModelDiagram, title: String, frames: [String: EditorFrame]) {
    self.diagram = diagram
    self.title = title
    rectangles = Self.placed(diagram, frames)
  }

  private static func placed(
    _ diagram: ModelDiagram, _ frames: [String: EditorFrame]
  ) -> [Rectangle] {
    let sizes = diagram.boxes.map(size)
    let known = diagram.boxes.indices.compactMap { index in
      diagram.boxes[index].kind == .composite
        ? nil
        : frames[diagram.boxes[index].name].map { (index: index, frame: $0) }
    }
    let scale = (
      x: Self.scale(known.map { (sizes[$0.index].x, $0.frame.width) }),
      y: Self.scale(known.map { (sizes[$0.index].y, $0.frame.height) })
    )
    guard !known.isEmpty else {
      let corners = DiagramColumns(diagram, sizes: sizes).corners
      return zip(corners, sizes).map {
        Rectangle(x: $0.x + margin, y: $0.y + margin / 2, width: $1.x, height: $1.y)
      }
    }
    let bottom = known.map { ($0.frame.y + $0.frame.height) * scale.y }.max() ?? 0
    let left = known.map { $0.frame.x * scale.x }.min() ?? 0
    var wanted = sizes.map { Rectangle(x: left, y: bottom, width: $0.x, height: $0.y) }
    for (index, frame) in known {
      (wanted[index].x, wanted[index].y) = (frame.x * scale.x, frame.y * scale.y)
    }
    let order = wanted.indices.sorted {
      (wanted[$0].y, wanted[$0].x, $0) < (wanted[$1].y, wanted[$1].x, $1)
    }
    var placement = BoxPlacement()
    var placed = wanted
    for index in order { placed[index] = placement.place(wanted[index]) }
    let origin = Point(x: placed.map(\.x).min() ?? 0, y: placed.map(\.y).min() ?? 0)
    return placed.map {
      Rectangle(
        x: $0.x - origin.x + margin, y: $0.y - origin.y + margin / 2, width: $0.width,
        height: $0.height)
    }
  }

  /// Returns the factor by which the editor's coordinates are multiplied: the total length of the boxes divided by
  /// their total length in the editor, limited to the range from 1 to 10.
  private static func scale(_ lengths: [(ours: Double, editors: Double)]) -> Double {
    let editors = lengths.map(\.editors).reduce(0, +)
    return editors > 0 ? min(max(1, lengths.map(\.ours).reduce(0, +) / editors), 10) : 1
  }

  private static func size(of box: ModelDiagram.Box) -> Point {
    let head = TextWidth.of(box.headText) * 1.1
    let stereotype = TextWidth.of("«\(box.stereotype ?? "")»")
    let width = box.rows.map { TextWidth.of("\($0.nameText)  \($0.restText)") }.max() ?? 0
    return Point(
      x: (max(head, stereotype, width) * fontSize + 2 * padding).rounded(.up),
      y: box.headHeight + Double(box.rows.count) * rowHeight + (box.rows.isEmpty ? 0 : 6))
  }

  // MARK: Positions

  /// Returns the y coordinate at which an end of a line meets its box.
  func height(of end: ModelDiagram.End) -> Double {
    let box = diagram.boxes[end.box]
    guard let row = end.row else { return rectangles[end.box].y + box.headHeight / 2 }
    return rectangles[end.box].y + box.headHeight + 3 + (Double(row) + 0.5) * Self.rowHeight
  }

  /// The number of boxes that overlap an earlier box, which should be 0.
  package var overlaps: Int {
    rectangles.indices.count { index in
      rectangles[..<index].contains { $0.isNear(rectangles[index], gap: Point(x: 0, y: 0)) }
    }
  }

  var size: Point {
    let legend = diagram.showsChanges ? Point(x: 330, y: 40) : Point(x: 0, y: 0)
    return Point(
      x: max((rectangles.map(\.maxX).max() ?? 0) + Self.margin, legend.x),
      y: (rectangles.map(\.maxY).max() ?? 0) + Self.margin / 2 + legend.y)
  }
}

extension ModelDiagram.Box {
  var headText: String { (mark.map { "\($0.sign) " } ?? "") + name }
  var headHeight: Double { stereotype == nil ? 24 : 36 }
}

extension ModelDiagram.Row {
  var nameText: String { (mark.map { "\($0.sign) " } ?? "") + name }
  /// The text after the name, in a fainter color.
  var restText: String { ([typeText] + notes.map { "«\($0)»" }).joined(separator: " ") }
}

extension PlacedDiagram {
  /// The SVG, which ends with a line feed. The background is transparent.
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
    // The web page of `browse` finds the boxes by the CSS class of their groups.
    let head = ["  <g class=\"node \(box.pictureClass)\">", "  <title>\(box.name.markup)</title>"]
    let rows = box.rows.indices.flatMap { rowLines(box.rows[$0], number: $0, in: index) }
    return head + lines + rows + ["  </g>"]
  }

  private func rowLines(_ row: ModelDiagram.Row, number: Int, in index: Int) -> [String] {
    let place = rectangles[index]
    let middle = height(of: ModelDiagram.End(box: index, row: number))
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
  /// The number with at most one digit after the point.
  var short: String {
    let tenths = (self * 10).rounded()
    return tenths.truncatingRemainder(dividingBy: 10) == 0
      ? "\(Int(tenths / 10))" : "\(tenths / 10)"
  }
}

/// Estimates the width of a text from the widths of characters in Helvetica, with room for wider fonts.
enum TextWidth {
  /// Returns the width of a text for the font size 1.
  static func of(_ text: String) -> Double {
    text.reduce(0) { $0 + of($1) } * roomForOtherFonts
  }

  private static let roomForOtherFonts = 1.12

  private static func of(_ character: Character) -> Double {
    switch character {
    case _ where !character.isASCII: DisplayWidth.of(character) == 2 ? 1 : 0.6
    case "i", "j", "l", "'": 0.22
    case "I", "f", "t", "r": 0.3
    case "m", "M", "w": 0.83
    case "W", "@", "%": 1
    case "A"..."Z": 0.72
    case "a"..."z", "0"..."9", "_", "?", "*", "+": 0.56
    default: 0.34
    }
  }
}

/// Arranges the boxes of a diagram in columns. It is used if Xcode's editor doesn't have a position for any of them. In
/// each group of connected boxes, the first column contains the box with the most lines to other boxes, and each
/// further column contains the boxes that are connected to the previous column.
struct DiagramColumns {
  private static let gap = Point(x: 90, y: 28)

  private let sizes: [Point]
  /// For each box, the indices of the boxes at the other ends of its lines, once for each line.
  private let neighbors: [[Int]]

  init(_ diagram: ModelDiagram, sizes: [Point]) {
    self.sizes = sizes
    var neighbors = diagram.boxes.map { _ in [Int]() }
    for line in diagram.lines where line.start.box != line.end.box {
      neighbors[line.start.box].append(line.end.box)
      neighbors[line.end.box].append(line.start.box)
    }
    self.neighbors = neighbors
  }

  /// The upper left corner of each box.
  var corners: [Point] {
    var corners = sizes.map { _ in Point(x: 0, y: 0) }
    var top = 0.0
    for columns in groups {
      var x = 0.0
      var bottom = top
      for column in columns {
        var y = top
        for box in column {
          corners[box] = Point(x: x, y: y)
          y += sizes[box].y + Self.gap.y
        }
        bottom = max(bottom, y)
        x += (column.map { sizes[$0].x }.max() ?? 0) + Self.gap.x
      }
      top = bottom + Self.gap.y
    }
    return corners
  }

  /// The groups of connected boxes, which are drawn one below another. Each group is an array of columns with the
  /// indices of boxes.
  private var groups: [[[Int]]] {
    var seen: Set<Int> = []
    var groups: [[[Int]]] = []
    let order = sizes.indices.sorted { (-neighbors[$0].count, $0) < (-neighbors[$1].count, $1) }
    var alone: [Int] = []
    for start in order where !seen.contains(start) {
      let columns = columns(from: start, &seen)
      if columns.count == 1 { alone += columns[0] } else { groups.append(columns) }
    }
    // Boxes without lines to other boxes form the last group, with one box in each column.
    if !alone.isEmpty { groups.append(alone.sorted().map { [$0] }) }
    return groups
  }

  private func columns(from start: Int, _ seen: inout Set<Int>) -> [[Int]] {
    var columns = [[start]]
    seen.insert(start)
    while let last = columns.last {
      // A column has the order of the connected boxes in the previous column, so that few lines cross.
      let next = last.flatMap { neighbors[$0].sorted() }.filter { seen.insert($0).inserted }
      if next.isEmpty { break }
      columns.append(next)
    }
    return columns
  }
}
