import StoreModel

/// A model with each delete rule once, and each strategy for storing a relationship.
enum ClubModel {
  static let model = DataModel(
    name: "Club",
    entities: [
      EntityDescription(
        name: "Club", attributes: [attribute("name", .string)],
        relationships: [
          toMany("players", "Player", inverse: "club", ordered: true, .nullify),
          toMany("debts", "Debt", inverse: "club", .deny),
          toMany("sponsors", "Sponsor", inverse: "clubs", .nullify),
          toMany("news", "Note", .nullify),
          toOne("badge", "Badge", inverse: "club", .cascade),
          toMany("trips", "Trip", inverse: "club", .noAction),
        ]),
      EntityDescription(
        name: "Player",
        attributes: [
          attribute("name", .string),
          AttributeDescription(
            name: "photo", type: .binary, isOptional: true, allowsExternalStorage: true),
        ],
        relationships: [
          toOne("club", "Club", inverse: "players", .nullify),
          toOne("captain", "Captain", inverse: "team", .nullify),
        ]),
      EntityDescription(
        name: "Captain", parent: "Player",
        relationships: [toMany("team", "Player", inverse: "captain", .cascade)]),
      EntityDescription(
        name: "Badge",
        relationships: [toOne("club", "Club", inverse: "badge", .nullify, isOptional: false)]),
      EntityDescription(
        name: "Debt", relationships: [toOne("club", "Club", inverse: "debts", .nullify)]),
      EntityDescription(
        name: "Sponsor",
        relationships: [
          toMany("clubs", "Club", inverse: "sponsors", .nullify),
          toOne("favourite", "Player", inverse: nil, .nullify, isOptional: false),
        ]),
      EntityDescription(name: "Note", attributes: [attribute("text", .string)]),
      EntityDescription(
        name: "Trip", relationships: [toOne("club", "Club", inverse: "trips", .nullify)]),
      EntityDescription(
        name: "Link", attributes: [attribute("number", .integer64)],
        relationships: [
          toOne("next", "Link", inverse: "previous", .cascade),
          toOne("previous", "Link", inverse: "next", .nullify),
        ]),
    ])

  private static func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
    AttributeDescription(name: name, type: type, isOptional: true)
  }

  private static func toOne(
    _ name: String, _ destination: String, inverse: String?,
    _ rule: RelationshipDescription.DeleteRule,
    isOptional: Bool = true
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse, isOptional: isOptional,
      deleteRule: rule)
  }

  private static func toMany(
    _ name: String, _ destination: String, inverse: String? = nil, ordered: Bool = false,
    _ rule: RelationshipDescription.DeleteRule
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destination: destination, inverse: inverse,
      cardinality: .toMany(ordered: ordered), isOptional: true, deleteRule: rule)
  }
}
