import StoreDiagnostics
import StoreModel

extension PersistentModelEmitter {
  /// `#Unique` and `#Index`: each once, with a list for each constraint or index.
  mutating func propertyLists(of entity: Entity) -> [SwiftCode] {
    let type = names.type(of: entity.name)
    var lists: [SwiftCode] = []
    let constraints = entity.uniquenessConstraints.filter { names in
      // One attribute says it itself.
      names.count > 1 || !entity.attributes.contains { $0.name == names[0] }
    }
    let unique = constraints.compactMap { constraint in
      keyPaths(constraint, of: entity, "a uniqueness constraint", at: .entity(entity.name))
    }
    if !unique.isEmpty { lists.append(.call("#Unique<\(type)>", unique)) }
    let single = entity.attributes.filter { $0.isIndexed && !$0.isTransient }.compactMap {
      keyPaths(
        [$0.name], of: entity, "an index", at: .property($0.name, of: entity.name))
    }
    var indexes: [SwiftCode] = []
    for code in single + entity.indexes.compactMap({ index($0, of: entity) })
    where !indexes.contains(code) {
      indexes.append(code)
    }
    if !indexes.isEmpty { lists.append(.call("#Index<\(type)>", indexes)) }
    return lists
  }

  private mutating func index(_ index: FetchIndex, of entity: Entity) -> SwiftCode? {
    let part: ModelPart =
      index.name.isEmpty ? .entity(entity.name) : .index(index.name, of: entity.name)
    let subject = index.name.isEmpty ? "a compound index" : "the index '\(index.name)'"
    var properties: [String] = []
    for element in index.elements {
      guard case .property(let name) = element.target, element.kind == .binary else {
        report(
          "'\(entity.name)' does not get \(subject): SwiftData indexes properties alone", at: part)
        return nil
      }
      properties.append(name)
    }
    if index.partialPredicate != nil {
      report("'\(entity.name)' does not get \(subject): SwiftData's hold all objects", at: part)
      return nil
    }
    if index.elements.contains(where: { !$0.isAscending }) {
      report("\(subject) of '\(entity.name)' is ascending in SwiftData", at: part)
    }
    return keyPaths(properties, of: entity, subject, at: part)
  }

  /// `[\.name, \.address.city]`; nil, and reported, where one of them is left out.
  private mutating func keyPaths(
    _ properties: [String], of entity: Entity, _ subject: String, at part: ModelPart
  ) -> SwiftCode? {
    var keyPaths: [SwiftCode] = []
    for property in properties {
      guard let path = keyPath(property, of: entity) else {
        report(
          "'\(entity.name)' does not get \(subject): '\(property)' is not in its class", at: part)
        return nil
      }
      keyPaths.append(.text(path))
    }
    return .array(keyPaths)
  }

  private func keyPath(_ path: String, of entity: Entity) -> String? {
    // The elements of a composite are rare here, and may be optional.
    switch model.property(named: path, of: entity)?.0 {
    case .attribute(let attribute)? where isStored(attribute) && !attribute.isTransient: break
    case .relationship(let relationship)? where !relationship.isTransient: break
    default: return nil
    }
    return "\\." + names.member(path, of: entity.name)
  }
}
