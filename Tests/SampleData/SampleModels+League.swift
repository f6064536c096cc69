package import StoreModel
import StorePredicate

extension SampleModels {
  /// Teams and players, which are identified by unique values.
  package static let league = Model(
    name: "League",
    entities: [
      Entity(
        name: "Team",
        attributes: [
          Attribute(name: "name", type: .string),
          Attribute(name: "city", type: .string, isOptional: true),
          Attribute(
            name: "points", type: .integer32, isOptional: true, defaultValue: .integer(0),
            validation: .init(minimum: .integer(0))),
          Attribute(name: "founded", type: .date, isOptional: true),
        ],
        relationships: [
          toMany("players", "Player", inverse: "team"),
          Relationship(name: "captain", destination: "Player", inverse: "leads", isOptional: true),
        ],
        uniquenessConstraints: [["name"], ["city", "founded"]]),
      Entity(
        name: "Player",
        attributes: [
          Attribute(name: "number", type: .integer32),
          Attribute(name: "nick", type: .string, isOptional: true),
        ],
        relationships: [
          Relationship(name: "team", destination: "Team", inverse: "players", isOptional: true),
          Relationship(name: "leads", destination: "Team", inverse: "captain", isOptional: true),
        ],
        uniquenessConstraints: [["number"]]),
      Entity(name: "Goalkeeper", parent: "Player"),
    ])
}
