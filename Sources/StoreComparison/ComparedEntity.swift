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
