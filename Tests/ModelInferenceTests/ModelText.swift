import StoreModel

extension Model {
  /// A line for each entity and property.
  var lines: [String] {
    entities.flatMap { entity in
      [entity.name + (entity.parent.map { ": \($0)" } ?? "")]
        + entity.attributes.map { "  \($0.name) \($0.type.name)" }
        + entity.relationships.map { relationship in
          let kind = relationship.isOrdered ? " [ordered]" : relationship.isToMany ? " []" : ""
          let inverse = relationship.inverse.map { " <-> \($0)" } ?? ""
          return "  \(relationship.name) -> \(relationship.destination)\(kind)\(inverse)"
        }
        + entity.uniquenessConstraints.map { "  unique \($0.joined(separator: ", "))" }
        + entity.indexes.map { "  index \($0.name)" }
    }
  }
}
