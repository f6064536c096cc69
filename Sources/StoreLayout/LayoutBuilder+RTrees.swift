import StoreModel

extension LayoutBuilder {
  /// The R-trees of the model, followed by other R-trees in the store.
  mutating func rTrees(over entities: [EntityLayout]) -> [RTreeLayout] {
    let wanted = modelTrees()
    let found = schema?.database.rTrees(over: entities) ?? []
    return wanted + found.filter { tree in !wanted.contains { $0.name == tree.name } }
  }

  /// One for each attribute whose user info names the attributes that a location consists of.
  private mutating func modelTrees() -> [RTreeLayout] {
    var trees: [RTreeLayout] = []
    for (entity, _) in numbering.numbered {
      for attribute in entity.attributes {
        guard let components = attribute.userInfo[RTreeLayout.componentsKey] else { continue }
        guard let columns = columns(of: components, in: entity) else {
          risks.append(
            "the R-tree of '\(entity.name).\(attribute.name)' is left out: '\(components)' isn't a"
              + " list of one to five stored attributes")
          continue
        }
        trees.append(
          RTreeLayout(
            name: "\(RTreeLayout.prefix)\(entity.name)_\(attribute.name)", table: table(of: entity),
            columns: columns))
      }
    }
    return trees
  }

  /// - Parameter components: `latitude, longitude`
  private func columns(of components: String, in entity: Entity) -> [String]? {
    let names = components.split(separator: ",").map { name in
      String(name.drop { $0 == " " }.prefix { $0 != " " })
    }
    let owners = [entity] + model.ancestors(of: entity)
    let columns = names.compactMap { name in
      owners.lazy.compactMap { attributes[PropertyKey($0.name, name)]?.column }.first
    }
    guard columns.count == names.count, Set(columns).count == columns.count,
      RTreeLayout.dimensions.contains(columns.count)
    else { return nil }
    return columns
  }
}
