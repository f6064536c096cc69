import Foundation
import StoreModel
import StorePredicate

/// A model with every feature.
enum EverythingModel {
  static let model = DataModel(
    name: "Everything", versionIdentifiers: ["1.0 Beta 4"],
    entities: [
      place, visit, EntityDescription(name: "Venue", parent: "Place"),
      EntityDescription(name: "apron"),
    ],
    templates: [
      FetchRequestTemplate(name: "plain", entity: "Venue"),
      FetchRequestTemplate(
        name: "flags", entity: "Visit", limit: 7, batchSize: 20, includesSubentities: false,
        includesPropertyValues: false, returnsObjectsAsFaults: false,
        returnsDistinctResults: true, includesPendingChanges: false, resultType: .dictionaries),
      template("since", entity: "Visit", where: "day >= $DAY AND place.title != \"a & <b>\""),
    ],
    configurations: [
      ConfigurationDescription(name: "Cloud", entities: ["Visit", "Place"]),
      ConfigurationDescription(name: "Nothing", entities: []),
    ],
    composites: [
      CompositeDescription(
        name: "Point",
        attributes: [
          AttributeDescription(name: "x", type: .double, isOptional: true),
          AttributeDescription(name: "inner", type: .composite("Empty"), isOptional: true),
        ]),
      CompositeDescription(name: "Empty", attributes: []),
    ])

  private static let place = EntityDescription(
    name: "Place", isAbstract: true, className: ".Place", codeGeneration: "class",
    attributes: [
      AttributeDescription(
        name: "area", type: .decimal, isOptional: true, defaultValue: .double(12.5)),
      AttributeDescription(name: "corner", type: .composite("Point"), isOptional: true),
      AttributeDescription(
        name: "picture", type: .binary, isOptional: true, allowsExternalStorage: true,
        isPreservedAfterDeletion: true, allowsCloudEncryption: true),
      AttributeDescription(
        name: "rating", type: .integer16, isTransient: true, defaultValue: .integer(3),
        validation: .init(minimum: .integer(1), maximum: .integer(5)), isIndexed: true,
        usesScalarValueType: true),
      AttributeDescription(
        name: "tags", type: .transformable, isOptional: true,
        valueTransformer: "NSSecureUnarchiveFromData", customClassName: "[String]"),
      AttributeDescription(
        name: "title", type: .string, defaultValue: .string("a \"b\" & c"),
        validation: .init(minimum: .integer(1), pattern: #"\A.+\z"#), isIndexedBySpotlight: true,
        renamingIdentifier: "name", versionHashModifier: "add index",
        userInfo: ["sync.remoteKey": "TITLE", "lines": "one\n\ttwo", "empty": ""]),
      AttributeDescription(
        name: "visitCount", type: .integer64, isOptional: true,
        derivation: visitCount),
    ],
    relationships: [
      RelationshipDescription(
        name: "visits", destination: "Visit", inverse: "place",
        cardinality: .toMany(ordered: true), isOptional: true, minimumCount: 1, maximumCount: 9,
        deleteRule: .cascade, isIndexed: true, renamingIdentifier: "stays",
        versionHashModifier: "1", userInfo: ["k": "v"])
    ],
    fetchedProperties: [
      FetchedProperty(
        name: "neighbors",
        request: template(
          "fetchedPropertyFetchRequest", entity: "Place", where: "area == $FETCH_SOURCE.area"),
        userInfo: ["k": "w"])
    ],
    indexes: [
      FetchIndex(
        name: "", elements: [.init(.property("title")), .init(.property("area"))],
        origin: .compoundIndex),
      FetchIndex(name: "", elements: [.init(.property("rating"))], origin: .compoundIndex),
    ],
    uniquenessConstraints: [["title", "area"], ["picture"]], renamingIdentifier: "Location",
    versionHashModifier: "2", userInfo: ["mappedKeyName": "venue"])

  private static let visit = EntityDescription(
    name: "Visit", codeGeneration: "category",
    attributes: [
      AttributeDescription(
        name: "day", type: .date, defaultValue: .date(-31_626_000),
        validation: .init(minimum: .date(0), maximum: .date(978_307_200.5))),
      AttributeDescription(
        name: "Guide", type: .uuid, isOptional: true, defaultValue: .uuid(guide)),
      AttributeDescription(name: "fee", type: .float, defaultValue: .double(Double(Float(0.1)))),
      AttributeDescription(name: "factor", type: .double, defaultValue: .double(100)),
      AttributeDescription(name: "isPaid", type: .boolean, defaultValue: .boolean(true)),
      AttributeDescription(name: "link", type: .uri, defaultValue: .string("")),
      AttributeDescription(name: "scratch", type: .undefined, isTransient: true),
    ],
    relationships: [
      RelationshipDescription(
        name: "place", destination: "Place", inverse: "visits", maximumCount: 1,
        deleteRule: .noAction),
      // Its inverse is declared by a parent of its destination.
      RelationshipDescription(
        name: "venue", destination: "Venue", inverse: "visits", isTransient: true,
        deleteRule: .deny),
    ],
    indexes: [
      FetchIndex(
        name: "byDay",
        elements: [
          .init(.property("day"), isAscending: false), .init(.property("place"), kind: .rTree),
        ], partialPredicate: "day != nil"),
      FetchIndex(
        name: "byFee", elements: [.init(.expression("fee * 2", type: .double))]),
    ])

  private static let visitCount = FormatExpression(
    .keyPath(base: .init(.selfObject), [.init(.key("visits")), .init(.collection(.count))]))

  private static let guide = UUID(
    uuid: (88, 238, 36, 92, 19, 165, 77, 31, 157, 42, 91, 45, 110, 58, 47, 16))

  /// Creates a template as the reader does, with its text and its predicate.
  private static func template(
    _ name: String, entity: String, where text: String
  ) -> FetchRequestTemplate {
    FetchRequestTemplate(
      name: name, entity: entity, predicateText: PredicateText(text),
      predicate: predicate(text))
  }

  private static func predicate(_ text: String) -> FormatPredicate? {
    do {
      return try FormatPredicate(parsing: text)
    } catch {
      return nil
    }
  }
}
