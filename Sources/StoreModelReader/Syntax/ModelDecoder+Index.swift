import StoreModel

extension ModelDecoder {
  /// `<fetchIndex>`, Xcode 9 and later.
  ///
  /// - Parameter owner: the name of its entity.
  mutating func decodeFetchIndex(_ element: XMLElement, of owner: String) -> IndexSyntax {
    let name = ownName(of: element)
    let condition = text("partialIndexPredicate", of: element)
    let context = "in index '\(owner).\(name.text)'"
    var syntax = IndexSyntax(
      name: name, properties: [],
      condition: condition.map { _ in
        predicateText("partialIndexPredicate", of: element, context: context)
      },
      index: FetchIndex(name: name.text, elements: [], partialPredicate: condition))
    for child in element.children(named: "fetchIndexElement") {
      guard let target = decodeTarget(of: child, addingTo: &syntax.properties) else { continue }
      if case .expression = target {
        syntax.expressions.append(predicateText("expression", of: child, context: context))
      }
      let kind = word("type", of: child, among: Self.kinds) ?? .binary
      let isAscending = word("order", of: child, among: Self.orders) ?? true
      syntax.index.elements.append(.init(target, kind: kind, isAscending: isAscending))
    }
    return syntax
  }

  private static let kinds: [(name: String, FetchIndex.Element.Kind)] = [
    ("Binary", .binary), ("RTree", .rTree),
  ]

  private static let orders = [(name: "ascending", true), ("descending", false)]

  private mutating func decodeTarget(
    of element: XMLElement, addingTo properties: inout [PlacedName]
  ) -> FetchIndex.Element.Target? {
    if let text = text("expression", of: element) {
      let types = AttributeType.named.map { (name: $0.name, $0.type) }
      return .expression(
        text, type: word("expressionType", of: element, among: types) ?? .undefined)
    }
    guard let property = requiredName("property", of: element) else { return nil }
    properties.append(property)
    return .property(property.text)
  }

  /// `<compoundIndex>`, before Xcode 9.
  mutating func decodeCompoundIndex(_ element: XMLElement) -> IndexSyntax {
    let properties = element.children(named: "index")
      .compactMap { requiredName("value", of: $0) }
    let elements = properties.map { FetchIndex.Element(.property($0.text)) }
    return IndexSyntax(
      name: nil, properties: properties, condition: nil,
      index: FetchIndex(name: "", elements: elements, origin: .compoundIndex))
  }
}
