import StoreDiagnostics
package import StoreLayout

/// An entity that both stores have, and how its rows are matched and compared.
package struct ComparedEntity: Hashable, Sendable {
  package var name: String
  package var matching: RowMatching
  /// The compared properties: first the attributes, then the to-one and the to-many relationships, each sorted by name.
  package var properties: [ComparedProperty]
  /// The entity in the older store.
  package var old: EntityLayout
  /// The entity in the newer store.
  package var new: EntityLayout

  /// The attributes by whose values rows are matched; empty if rows are matched by object ID.
  var keyAttributes: [String] {
    switch matching {
    case .objectID: []
    case .key(let attributes): attributes
    }
  }
}

/// A property that both stores have.
package struct ComparedProperty: Hashable, Sendable {
  package enum Kind: Hashable, Sendable, CaseIterable {
    case attribute
    case toOne
    case toMany
  }

  package var name: String
  package var kind: Kind
}

/// An entity or property that isn't compared.
package struct LeftOut: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case onlyInOld
    case onlyInNew
    /// The property has different types, such as String and to-one, so its values can't be equal. Contains the types as
    /// text.
    case otherwise(old: String, new: String)
    /// A relationship to rows that can't be matched. Contains the name of a destination entity without a key.
    case noKey(of: String)
  }

  package var entity: String
  /// The name of the property; nil for the whole entity.
  package var property: String?
  package var reason: Reason
  /// The number of rows in the store that has the entity, if the whole entity isn't compared.
  package var rowCount: Int64?
}

/// Specifies how rows of an entity are matched between the stores.
package enum RowMatching: Hashable, Sendable {
  /// By entity and primary key, like object IDs. Both stores must be states of the same store.
  case objectID
  /// By the values of these attributes.
  case key([String])
}

/// The user's rules for matching rows.
package struct MatchingRules: Hashable, Sendable {
  /// The rule for entities without a key in `keys`.
  package enum Rest: Hashable, Sendable {
    case objectID
    /// By the attributes of the first own or inherited uniqueness constraint that both stores can use.
    case uniqueKey
  }

  package var rest: Rest
  package var keys: [EntityKey]

  package init(rest: Rest, keys: [EntityKey] = []) {
    self.rest = rest
    self.keys = keys
  }
}

/// The attributes that identify the rows of an entity and its sub-entities, such as `Item.list,name`.
package struct EntityKey: Hashable, Sendable {
  package var entity: String
  package var attributes: [String]

  package init(entity: String, attributes: [String]) {
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
