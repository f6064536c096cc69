/// The colors of diagrams: dark text on light boxes, and lines in a gray that is visible on white and on black.
enum DiagramColors {
  static let text = "#1f2328"
  static let faintText = "#59636e"
  static let box = "#ffffff"
  static let entity = "#ddf4ff"
  static let composite = "#fbefff"
  static let line = "#818b98"
}

extension ChangeMark {
  var colors: (fill: String, stroke: String) {
    switch self {
    case .added: ("#dafbe1", "#1a7f37")
    case .changed: ("#fff8c5", "#9a6700")
    case .removed: ("#ffebe9", "#cf222e")
    }
  }
}

extension ModelDiagram.Box {
  /// The background color of the box's title.
  var color: String {
    if let mark { return mark.colors.fill }
    return kind == .composite ? DiagramColors.composite : DiagramColors.entity
  }
}
