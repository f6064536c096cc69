import StoreModel

extension ModelResolver {
  mutating func checkIndexes(of entity: EntitySyntax) {
    checkNames(entity.indexes.compactMap(\.name), kind: "index", owner: entity.name.text)
    for index in entity.indexes {
      let role = index.name.map { "index '\($0.text)'" } ?? "a compound index"
      checkProperties(index.properties, of: entity, role: role)
    }
  }

  mutating func checkConstraints(of entity: EntitySyntax) {
    for constraint in entity.uniquenessConstraints {
      checkProperties(constraint, of: entity, role: "a uniqueness constraint")
    }
  }

  private mutating func checkProperties(
    _ names: [PlacedName], of entity: EntitySyntax, role: String
  ) {
    guard !names.isEmpty else { return }
    let known = knownProperties(of: entity)
    for name in names where !known.contains(name.text) {
      findings.report(
        NameIssue.unknownProperty(
          name.text, entity: entity.name.text, role: role, known: known),
        at: name.spot)
    }
  }
}
