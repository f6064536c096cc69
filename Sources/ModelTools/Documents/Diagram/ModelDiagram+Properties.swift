import StoreModel

extension ModelDiagram.Count {
  init(_ relationship: Relationship) {
    let least = relationship.isOptional ? 0 : max(1, relationship.minimumCount ?? 1)
    guard relationship.isToMany else {
      self.init(minimum: min(least, 1), maximum: 1, isOrdered: false)
      return
    }
    let most = relationship.maximumCount.flatMap { $0 > 0 ? $0 : nil }
    self.init(
      minimum: min(least, most ?? least), maximum: most, isOrdered: relationship.isOrdered)
  }
}

extension ModelDiagram.Row {
  /// - Parameter constraints: of the entity.
  init(_ attribute: Attribute, constraints: [[String]] = [], mark: ChangeMark? = nil) {
    let flags = [
      ("transient", attribute.isTransient), ("derived", attribute.derivation != nil),
    ]
    self.init(
      kind: .attribute, name: attribute.name, type: attribute.type.label,
      isOptional: attribute.isOptional, count: nil,
      notes: Self.uniqueness(of: attribute.name, by: constraints)
        + flags.filter(\.1).map(\.0), mark: mark)
  }

  /// - Parameter constraints: of the entity.
  init(_ relationship: Relationship, constraints: [[String]] = [], mark: ChangeMark? = nil) {
    self.init(
      kind: .relationship, name: relationship.name, type: relationship.destination,
      isOptional: relationship.isOptional, count: ModelDiagram.Count(relationship),
      notes: Self.uniqueness(of: relationship.name, by: constraints)
        + (relationship.isTransient ? ["transient"] : []), mark: mark)
  }

  init(_ fetched: FetchedProperty, mark: ChangeMark? = nil) {
    self.init(
      kind: .fetchedProperty, name: fetched.name, type: fetched.request.entity, isOptional: false,
      count: nil, notes: ["fetched"], mark: mark)
  }

  /// `unique`, or `unique with 'year'`.
  private static func uniqueness(of name: String, by constraints: [[String]]) -> [String] {
    constraints.filter { $0.contains(name) }.map { constraint in
      let others = constraint.filter { $0 != name }
      return others.isEmpty ? "unique" : "unique with \(others.joined(separator: ", "))"
    }
  }
}

extension AttributeType {
  /// The type's name, or that of the composite.
  var label: String {
    if case .composite(let name) = self { name } else { name }
  }
}
