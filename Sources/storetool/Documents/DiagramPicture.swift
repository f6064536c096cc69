import ModelDocuments
import StoreModel

/// A picture of a model as SVG: laid out by Graphviz where that is installed, else by us.
enum DiagramPicture {
  /// - Parameter frames: where an editor has the entities.
  /// - Throws: `GraphvizError` where Graphviz is there and fails.
  static func svg(
    of diagram: ModelDiagram, title: String, frames: [String: EditorFrame]
  ) throws(GraphvizError) -> String {
    try Graphviz.svg(of: GraphvizDiagram(diagram, title: title).text)
      ?? PlacedDiagram(diagram, title: title, frames: frames).text
  }
}
