package import StoreModel

/// A picture with its boxes where Xcode's editor has them, or in columns where no editor says where they are, as SVG.
package struct PlacedDiagram {
  let diagram: ModelDiagram
  let title: String
  /// Of the boxes.
  let rectangles: [Rectangle]

  static let fontSize = 11.0
  static let rowHeight = 17.0
  static let padding = 8.0
  /// Lines may leave to the sides.
  private static let margin = 56.0

  /// - Parameter frames: of entities by name; the others stand below.
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

  /// By how much our boxes are larger than the editor's, on the average.
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

  // MARK: Places

  /// The height at which a line meets a box.
  func height(of end: ModelDiagram.End) -> Double {
    let box = diagram.boxes[end.box]
    guard let row = end.row else { return rectangles[end.box].y + box.headHeight / 2 }
    return rectangles[end.box].y + box.headHeight + 3 + (Double(row) + 0.5) * Self.rowHeight
  }

  /// How many boxes lie on another one; none, if all is well.
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
  /// What stands behind the name, in a fainter color.
  var restText: String { ([typeText] + notes.map { "«\($0)»" }).joined(separator: " ") }
}
