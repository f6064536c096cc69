import StoreLayout
import StoreModel
import StoreDiagnostics

/// What of the first version some inferred mappings, one after the other, take to the last: `Item` for
/// its rows, `Item.note` for a property. A relationship is kept where either side is.
struct KeptProperties {
  private(set) var names: Set<String> = []

  fileprivate struct Flow {
    let source: String
    var entity: String
    /// What each property of the source is called by now.
    var properties: [String: Set<String>]
  }

  init(_ mappings: [ModelMapping]) {
    guard let source = mappings.first?.source else { return }
    var flows = source.entities.filter { !$0.isAbstract }.map { entity in
      let names =
        source.storedAttributes(of: entity).map(\.name)
        + source.relationships(of: entity).map(\.name)
      return Flow(
        source: entity.name, entity: entity.name,
        properties: Dictionary(names.map { ($0, [$0]) }, uniquingKeysWith: { one, _ in one }))
    }
    for mapping in mappings {
      flows = flows.flatMap { flow in
        mapping.entities.filter { $0.source.isExactly(flow.entity) }.map { $0.taking(flow) }
      }
    }
    for flow in flows {
      names.insert(flow.source)
      names.formUnion(
        flow.properties.filter { !$0.value.isEmpty }.keys.map { "\(flow.source).\($0)" })
    }
    addInverses(in: source)
  }

  private mutating func addInverses(in model: Model) {
    for entity in model.entities {
      for relationship in model.relationships(of: entity) {
        guard let (inverse, _) = model.inverse(of: relationship),
          let destination = model.entity(named: relationship.destination),
          model.subtree(of: destination).contains(where: {
            names.contains("\($0.name).\(inverse.name)")
          })
        else { continue }
        names.insert("\(entity.name).\(relationship.name)")
      }
    }
  }
}

extension EntityMapping {
  fileprivate func taking(_ flow: KeptProperties.Flow) -> KeptProperties.Flow {
    var flow = flow
    flow.entity = target
    flow.properties = flow.properties.mapValues { names in
      let attributes = attributes.filter { _, origin in
        if case .attribute(let name) = origin.source { names.contains(name) } else { false }
      }
      let relationships = relationships.filter { _, origin in
        if case .relationship(let name) = origin { names.contains(name) } else { false }
      }
      return Set(attributes.keys).union(relationships.keys)
    }
    return flow
  }
}
