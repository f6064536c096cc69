import StoreModel
import StorePredicate

/// The content of a model's XML, with names that may not exist. `ModelResolver` converts it to a `Model`.
struct ModelSyntax {
  var versionIdentifier = ""
  var entities: [EntitySyntax] = []
  var templates: [FetchRequestSyntax] = []
  var configurations: [ConfigurationSyntax] = []
  var composites: [CompositeSyntax] = []
  /// The positions of entities in Xcode's editor.
  var frames: [String: EditorFrame] = [:]
}

/// A name with its location.
struct PlacedName {
  var text: String
  var spot: XMLSpot
}

struct EntitySyntax {
  var name: PlacedName
  var parent: PlacedName?
  /// The entity without the parts that refer to other names.
  var entity: Entity
  var attributes: [AttributeSyntax] = []
  var relationships: [RelationshipSyntax] = []
  var fetchedProperties: [FetchedPropertySyntax] = []
  var indexes: [IndexSyntax] = []
  var uniquenessConstraints: [[PlacedName]] = []
}

struct AttributeSyntax {
  var name: PlacedName
  /// The name of the composite of a composite attribute.
  var composite: PlacedName?
  /// The expression of a derived attribute, with its location.
  var derivation: PredicateText?
  var attribute: Attribute
}

struct RelationshipSyntax {
  var name: PlacedName
  /// Nil if it is missing in the XML, which was reported.
  var destination: PlacedName?
  var inverse: PlacedName?
  var inverseEntity: PlacedName?
  var relationship: Relationship
}

struct FetchedPropertySyntax {
  var name: PlacedName
  var request: FetchRequestSyntax
  var userInfo: [String: String]
}

struct FetchRequestSyntax {
  var name: PlacedName
  /// Nil if it is missing in the XML, which is one of the template's `faults`.
  var entity: PlacedName?
  var template: FetchRequestTemplate
}

struct IndexSyntax {
  /// Nil for a compound index.
  var name: PlacedName?
  /// The names of the indexed properties.
  var properties: [PlacedName]
  /// The predicate of a partial index, with its location.
  var condition: PredicateText?
  /// The indexed expressions.
  var expressions: [PredicateText] = []
  var index: FetchIndex
}

struct ConfigurationSyntax {
  var name: PlacedName
  var members: [PlacedName]
}

struct CompositeSyntax {
  var name: PlacedName
  var attributes: [AttributeSyntax]
}
