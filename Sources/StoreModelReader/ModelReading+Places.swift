package import StoreDiagnostics
package import StoreModel

extension ModelReading {
  /// Where the part's name stands; nil for one that the model does not have.
  package func place(of part: ModelPart) -> SourcePlace? {
    guard let xml, let spot = xml.syntax.spot(of: part) else { return nil }
    return xml.source.place(of: xml.source.range(of: spot).lowerBound)
  }

  /// Puts a diagnostic at a part's name, with the line of XML; unplaced where there is no such part.
  package func locate(_ diagnostic: Diagnostic, at part: ModelPart) -> Diagnostic {
    guard let xml, let spot = xml.syntax.spot(of: part) else { return diagnostic }
    return xml.source.locate(diagnostic, at: spot)
  }
}

extension ModelSyntax {
  fileprivate func spot(of part: ModelPart) -> XMLSpot? {
    switch part {
    case .entity(let name): entity(named: name)?.name.spot
    case .property(let name, let owner):
      chain(of: owner).lazy.flatMap(\.propertyNames).first { $0.text == name }?.spot
    case .index(let name, let owner):
      entity(named: owner)?.indexes.compactMap(\.name).first { $0.text == name }?.spot
    case .template(let name): templates.first { $0.name.text == name }?.name.spot
    case .configuration(let name): configurations.first { $0.name.text == name }?.name.spot
    case .composite(let name): composites.first { $0.name.text == name }?.name.spot
    }
  }

  private func entity(named name: String) -> EntitySyntax? {
    entities.first { $0.name.text == name }
  }

  /// The entity and its ancestors, the nearest first; the resolver has found no cycle in them.
  private func chain(of name: String) -> [EntitySyntax] {
    var chain: [EntitySyntax] = []
    var next = entity(named: name)
    while let entity = next {
      chain.append(entity)
      next = entity.parent.flatMap { self.entity(named: $0.text) }
    }
    return chain
  }
}
