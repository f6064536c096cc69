import StoreModel
import StorePredicate

/// A model as its XML says it: names may lead nowhere. `ModelResolver` makes a `Model` of it.
struct ModelSyntax {
  var versionIdentifier = ""
  var entities: [EntitySyntax] = []
  var templates: [FetchRequestSyntax] = []
  var configurations: [ConfigurationSyntax] = []
  var composites: [CompositeSyntax] = []
  /// Where Xcode's editor draws the entities.
  var frames: [String: EditorFrame] = [:]
}

/// A name, and where it is written.
struct PlacedName {
  var text: String
  var spot: XMLSpot
}

struct EntitySyntax {
  var name: PlacedName
  var parent: PlacedName?
  /// All but the parts that names lead into.
  var entity: Entity
  var attributes: [AttributeSyntax] = []
  var relationships: [RelationshipSyntax] = []
  var fetchedProperties: [FetchedPropertySyntax] = []
  var indexes: [IndexSyntax] = []
  var uniquenessConstraints: [[PlacedName]] = []
}

struct AttributeSyntax {
  var name: PlacedName
  /// The composite that a composite attribute names.
  var composite: PlacedName?
  /// What a derived attribute is computed from, and where it stands.
  var derivation: PredicateText?
  var attribute: Attribute
}

struct RelationshipSyntax {
  var name: PlacedName
  /// Nil where the XML names none, which has been reported.
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
  /// Nil where the XML names none, which is among the template's faults.
  var entity: PlacedName?
  var template: FetchRequestTemplate
}

struct IndexSyntax {
  /// Nil for a compound index.
  var name: PlacedName?
  /// The properties that the elements name.
  var properties: [PlacedName]
  /// Of a partial index, and where it stands.
  var condition: PredicateText?
  /// What elements have in place of a property.
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
