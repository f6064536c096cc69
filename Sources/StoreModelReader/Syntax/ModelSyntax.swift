import StoreModel
import StorePredicate

/// The content of a model's XML, which can refer to entities and properties that don't exist. `ModelResolver` converts
/// it to a `DataModel`.
struct ModelSyntax {
  var versionIdentifier = ""
  var entities: [EntitySyntax] = []
  var templates: [FetchRequestSyntax] = []
  var configurations: [ConfigurationSyntax] = []
  var composites: [CompositeSyntax] = []
  /// The positions of entities in Xcode's editor, by the entity's name.
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
  /// The entity without its parent, properties, indexes and constraints.
  var entity: EntityDescription
  var attributes: [AttributeSyntax] = []
  var relationships: [RelationshipSyntax] = []
  var fetchedProperties: [FetchedPropertySyntax] = []
  var indexes: [IndexSyntax] = []
  var uniquenessConstraints: [[PlacedName]] = []
}

struct AttributeSyntax {
  var name: PlacedName
  /// The name of the composite that is the attribute's type. Nil for any other type.
  var composite: PlacedName?
  /// The expression of a derived attribute, with its location.
  var derivation: PredicateText?
  var attribute: AttributeDescription
}

struct RelationshipSyntax {
  var name: PlacedName
  /// Nil if the name is missing in the XML. A missing name was already reported.
  var destination: PlacedName?
  var inverse: PlacedName?
  var inverseEntity: PlacedName?
  var relationship: RelationshipDescription
}

struct FetchedPropertySyntax {
  var name: PlacedName
  var request: FetchRequestSyntax
  var userInfo: [String: String]
}

struct FetchRequestSyntax {
  var name: PlacedName
  /// Nil if the name is missing in the XML. In this case, the template's `faults` contain an error.
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
