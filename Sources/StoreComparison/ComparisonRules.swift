import StoreDiagnostics

/// The parts of two stores to compare, and the rules for matching their rows.
///
///     var rules = ComparisonRules(entities: ["Product"], ignored: ["updatedAt"])
///     rules.keys = [EntityKey(entity: "Product", attributes: ["title"])]
public struct ComparisonRules: Hashable, Sendable {
  /// How rows of entities without a key are matched.
  public enum Matching: Hashable, Sendable, CaseIterable {
    /// By object ID. Both stores must be states of the same store, such as a store and its backup.
    case objectID
    /// By the attributes of the first own or inherited uniqueness constraint that both stores can use.
    case uniqueKey
  }

  /// The names of the entities to compare, including their sub-entities. An empty array means all entities.
  public var entities: [String]
  /// The properties to ignore: `Entity.name`, or `name` in all entities.
  public var ignored: [String]
  /// The attributes that identify the rows of entities.
  public var keys: [EntityKey]
  /// How rows of entities without a key in `keys` are matched. `nil` means by object ID if both stores have the same
  /// UUID, and otherwise by a uniqueness constraint.
  public var matching: Matching?

  /// Creates rules.
  ///
  /// - Parameters:
  ///   - entities: the names of the entities to compare. An empty array means all entities.
  ///   - ignored: the properties to ignore: `Entity.name`, or `name` in all entities.
  ///   - keys: the attributes that identify the rows of entities.
  ///   - matching: how rows of other entities are matched. `nil` means by object ID if both stores have the same UUID,
  ///     and otherwise by a uniqueness constraint.
  public init(
    entities: [String] = [], ignored: [String] = [], keys: [EntityKey] = [],
    matching: Matching? = nil
  ) {
    self.entities = entities
    self.ignored = ignored
    self.keys = keys
    self.matching = matching
  }
}

/// The attributes that identify the rows of an entity and its sub-entities.
public struct EntityKey: Hashable, Sendable {
  /// The name of the entity.
  public var entity: String
  /// The names of the attributes.
  public var attributes: [String]

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - entity: the name of the entity.
  ///   - attributes: the names of the attributes.
  public init(entity: String, attributes: [String]) {
    self.entity = entity
    self.attributes = attributes
  }

  /// Parses a text such as `Item.list,name`. Returns nil if the text has another format.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    let attributes = parts[1].split(separator: ",", omittingEmptySubsequences: false)
      .map { $0.trimmingSpaces() }
    guard !attributes.contains("") else { return nil }
    self.init(entity: String(parts[0]), attributes: attributes)
  }
}

/// Specifies how rows of an entity are matched between the stores.
public enum RowMatching: Hashable, Sendable {
  /// By entity and primary key, like object IDs. Both stores must be states of the same store.
  case objectID
  /// By the values of these attributes.
  case key([String])
}

/// The rules for matching rows, which a plan requires.
package struct MatchingRules: Hashable, Sendable {
  /// The rule for entities without a key in `keys`.
  package var rest: ComparisonRules.Matching
  package var keys: [EntityKey]

  package init(rest: ComparisonRules.Matching, keys: [EntityKey] = []) {
    self.rest = rest
    self.keys = keys
  }
}

/// An entity or property that isn't compared.
public struct OmittedPart: Hashable, Sendable {
  /// The reason why an entity or property isn't compared.
  public enum Reason: Hashable, Sendable {
    /// Only the older store has it.
    case onlyInOld
    /// Only the newer store has it.
    case onlyInNew
    /// The property has different types, such as String and to-one, so its values can't be equal. Contains the types as
    /// text.
    case otherwise(old: String, new: String)
    /// A relationship to rows that can't be matched. Contains the name of a destination entity without a key.
    case noKey(of: String)
  }

  /// The name of the entity.
  public package(set) var entity: String
  /// The name of the property. `nil` for the whole entity.
  public package(set) var property: String?
  /// The reason.
  public package(set) var reason: Reason
  /// The number of rows in the store that has the entity, if the whole entity isn't compared.
  public package(set) var rowCount: Int64?
}
