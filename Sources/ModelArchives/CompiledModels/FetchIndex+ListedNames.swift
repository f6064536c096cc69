import StoreModel

extension FetchIndex.Element.Target {
  /// The name in a list of compound indexes. The row itself has the name `self`
  /// (docs/formats/compiled-models.md, "Indexes").
  var listedName: String {
    switch self {
    case .property(let name): name
    case .expression(Self.rowItself, _): "self"
    case .expression(let text, _): text
    }
  }

  private static let rowItself = "SELF"
}
