import StoreLayout
import StoreModel

/// What tells the rows of each entity apart.
struct EntityKeys {
  private let rules: MatchingRules
  private let old: StoreLayout
  private let new: StoreLayout

  /// - Throws: `ComparisonError` for keys of what the stores don't have.
  init(_ rules: MatchingRules, old: StoreLayout, new: StoreLayout) throws(ComparisonError) {
    self.rules = rules
    self.old = old
    self.new = new
    var named: Set<String> = []
    for key in rules.keys {
      guard named.insert(key.entity).inserted else { throw .repeatedKey(key.entity) }
      for layout in [old, new] { try Self.check(key, in: layout) }
      for attribute in key.attributes
      where type(of: attribute, key, old) != type(of: attribute, key, new) {
        throw .keyChangedType(attribute, entity: key.entity)
      }
    }
  }

  private static func check(_ key: EntityKey, in layout: StoreLayout) throws(ComparisonError) {
    guard let entity = layout.entity(named: key.entity) else {
      throw .unknownEntity(key.entity, known: layout.entities.map(\.name))
    }
    for attribute in key.attributes where entity.attributes[attribute] == nil {
      let isRelationship = entity.toOne[attribute] != nil || entity.toMany[attribute] != nil
      guard !isRelationship else { throw .keyOfRelationship(attribute, entity: key.entity) }
      throw .unknownProperty(
        attribute, entity: key.entity, known: entity.attributes.keys.sorted())
    }
  }

  private func type(
    of attribute: String, _ key: EntityKey, _ layout: StoreLayout
  ) -> AttributeType? {
    layout.entity(named: key.entity)?.attributes[attribute]?.type
  }

  /// The key that is named for the entity or, nearest first, for one above it; else what the rules say of the rest.
  /// Nil where that is a constraint, and there is none.
  func matching(of name: String) -> RowMatching? {
    guard let entity = new.model.entity(named: name) else { return .objectID }
    let owners = [entity] + new.model.ancestors(of: entity)
    for owner in owners {
      if let key = rules.keys.first(where: { $0.entity == owner.name }) {
        return .key(key.attributes)
      }
    }
    guard rules.rest == .uniqueKey else { return .objectID }
    let constraints = owners.flatMap(\.uniquenessConstraints)
    return constraints.first { isKey($0, of: name) }.map { .key($0) }
  }

  /// Whether both stores have the attributes of a constraint, of the same types.
  private func isKey(_ attributes: [String], of entity: String) -> Bool {
    let sides = (old.concreteEntity(named: entity), new.concreteEntity(named: entity))
    return attributes.allSatisfy { name in
      let type = sides.1?.attributes[name]?.type
      return type != nil && sides.0?.attributes[name]?.type == type
    }
  }
}
