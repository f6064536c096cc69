package import StoreLayout

/// An entity whose rows both stores hold, and how they are compared.
package struct ComparedEntity: Hashable, Sendable {
  package var name: String
  package var matching: RowMatching
  /// Attributes, then to-one, then to-many relationships, each by name.
  package var properties: [ComparedProperty]
  package var old: EntityLayout
  package var new: EntityLayout

  /// The attributes by whose values rows are matched; none by object ID.
  var keyAttributes: [String] {
    switch matching {
    case .objectID: []
    case .key(let attributes): attributes
    }
  }
}

/// A property that both stores have.
package struct ComparedProperty: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case attribute
    case toOne
    case toMany
  }

  package var name: String
  package var kind: Kind
}

/// What is not compared, for the user to know.
package struct LeftOut: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case onlyInOld
    case onlyInNew
    /// Its values can't be equal: an attribute of another type, a relationship of another kind.
    case otherwise(old: String, new: String)
    /// A relationship to rows that nothing tells apart.
    case noKey(of: String)
  }

  package var entity: String
  /// Nil for the whole entity.
  package var property: String?
  package var reason: Reason
  /// Of a whole entity: what the store that has it holds of it.
  package var rowCount: Int64?
}

/// By what two rows of an entity, one in each store, are known to be the same row.
package enum RowMatching: Hashable, Sendable {
  /// By entity and key, as their object IDs say: the stores are one store at two times.
  case objectID
  /// By the values of some attributes.
  case key([String])
}

/// What a user says about how rows are matched.
package struct MatchingRules: Hashable, Sendable {
  /// Where no key is named for an entity.
  package enum Rest: Hashable, Sendable {
    case objectID
    /// By the attributes of a uniqueness constraint.
    case uniqueKey
  }

  package var rest: Rest
  package var keys: [EntityKey]

  package init(rest: Rest, keys: [EntityKey] = []) {
    self.rest = rest
    self.keys = keys
  }
}

/// `Item.list,name`: what tells the rows of an entity, and of those below it, apart.
package struct EntityKey: Hashable, Sendable {
  package var entity: String
  package var attributes: [String]

  package init(entity: String, attributes: [String]) {
    self.entity = entity
    self.attributes = attributes
  }

  /// Nil for text of another form.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    let attributes = parts[1].split(separator: ",", omittingEmptySubsequences: false).map { name in
      String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    guard !attributes.contains("") else { return nil }
    self.init(entity: String(parts[0]), attributes: attributes)
  }
}
