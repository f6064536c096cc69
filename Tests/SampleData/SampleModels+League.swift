package import StoreModel
import StorePredicate

extension SampleModels {
  /// Teams and players, which are identified by unique values.
  package static let league = DataModel(
    name: "League",
    entities: [
      EntityDescription(
        name: "Team",
        attributes: [
          AttributeDescription(name: "name", type: .string),
          AttributeDescription(name: "city", type: .string, isOptional: true),
          AttributeDescription(
            name: "points", type: .integer32, isOptional: true, defaultValue: .integer(0),
            validation: .init(minimum: .integer(0))),
          AttributeDescription(name: "founded", type: .date, isOptional: true),
        ],
        relationships: [
          toMany("players", "Player", inverse: "team"),
          RelationshipDescription(
            name: "captain", destination: "Player", inverse: "leads", isOptional: true),
        ],
        uniquenessConstraints: [["name"], ["city", "founded"]]),
      EntityDescription(
        name: "Player",
        attributes: [
          AttributeDescription(name: "number", type: .integer32),
          AttributeDescription(name: "nick", type: .string, isOptional: true),
        ],
        relationships: [
          RelationshipDescription(
            name: "team", destination: "Team", inverse: "players", isOptional: true),
          RelationshipDescription(
            name: "leads", destination: "Team", inverse: "captain", isOptional: true),
        ],
        uniquenessConstraints: [["number"]]),
      EntityDescription(name: "Goalkeeper", parent: "Player"),
    ])
}
