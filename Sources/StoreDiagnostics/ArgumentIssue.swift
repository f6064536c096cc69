/// What is wrong with an argument of a request, as data: the user's interface has a name for the argument.
public enum ArgumentIssue: Hashable, Sendable {
  /// Rules map keys of an entity's records, and no entity is given.
  case rulesWithoutEntity
  /// A rule goes on behind a to-many relationship.
  case ruleThroughToMany(rule: String, key: String)
  /// A rule goes on behind what is not a relationship.
  case ruleWithoutRelationship(rule: String, key: String, entity: String)
  /// A rule names a property that the entity does not have.
  case ruleWithUnknownProperty(rule: String, key: String, entity: String)
  /// A loss is allowed of what does not exist.
  case unknownLoss(String)
  /// Groups are filtered, and nothing is grouped.
  case groupFilterWithoutGroups
}

extension ArgumentIssue {
  /// In words that fit every interface.
  var sentence: String {
    switch self {
    case .rulesWithoutEntity: "rules of a mapping count from an entity, and none is given"
    case .ruleThroughToMany(let rule, let key):
      "the rule '\(rule)' continues after '\(key)', a to-many: there is no one object to fill"
    case .ruleWithoutRelationship(let rule, let key, let entity):
      "the rule '\(rule)': '\(key)' of '\(entity)' is not a relationship"
    case .ruleWithUnknownProperty(let rule, let key, let entity):
      "the rule '\(rule)': '\(entity)' has no property '\(key)'"
    case .unknownLoss(let name): "the allowed losses: nothing is called '\(name)'"
    case .groupFilterWithoutGroups: "groups are filtered, and there are none"
    }
  }
}
