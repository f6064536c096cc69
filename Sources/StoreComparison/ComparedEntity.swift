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

  init(entity: String, property: String? = nil, reason: Reason) {
    self.entity = entity
    self.property = property
    self.reason = reason
  }
}
