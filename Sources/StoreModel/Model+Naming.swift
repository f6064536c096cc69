extension Model {
  /// The attribute by which people would tell the rows of an entity apart: a unique text, one called name or
  /// title, else the first text. For messages.
  package func namingAttribute(of entity: String) -> String? {
    guard let entity = self.entity(named: entity) else { return nil }
    let texts = attributes(of: entity).filter { $0.type == .string && !$0.isTransient }.map(\.name)
    let unique = ([entity] + ancestors(of: entity)).flatMap(\.uniquenessConstraints)
      .filter { $0.count == 1 }.compactMap(\.first)
    return (unique + ["name", "title", "label"]).first(where: texts.contains) ?? texts.first
  }
}
