import StoreModel

/// A model with each delete rule once, and each strategy for storing a relationship.
enum ClubModel {
  static let model = Model(
    name: "Club",
    entities: [
      Entity(
        name: "Club", attributes: [attribute("name", .string)],
        relationships: [
          toMany("players", "Player", inverse: "club", ordered: true, .nullify),
          toMany("debts", "Debt", inverse: "club", .deny),
          toMany("sponsors", "Sponsor", inverse: "clubs", .nullify),
          toMany("news", "Note", .nullify),
          toOne("badge", "Badge", inverse: "club", .cascade),
          toMany("trips", "Trip", inverse: "club", .noAction),
        ]),
      Entity(
        name: "Player",
        attributes: [
          attribute("name", .string),
          Attribute(name: "photo", type: .binary, isOptional: true, allowsExternalStorage: true),
        ],
        relationships: [
          toOne("club", "Club", inverse: "players", .nullify),
          toOne("captain", "Captain", inverse: "team", .nullify),
        ]),
      Entity(
        name: "Captain", parent: "Player",
        relationships: [toMany("team", "Player", inverse: "captain", .cascade)]),
      Entity(
        name: "Badge",
        relationships: [toOne("club", "Club", inverse: "badge", .nullify, isOptional: false)]),
      Entity(
        name: "Debt", relationships: [toOne("club", "Club", inverse: "debts", .nullify)]),
      Entity(
        name: "Sponsor",
        relationships: [
          toMany("clubs", "Club", inverse: "sponsors", .nullify),
          toOne("favourite", "Player", inverse: nil, .nullify, isOptional: false),
        ]),
      Entity(name: "Note", attributes: [attribute("text", .string)]),
      Entity(name: "Trip", relationships: [toOne("club", "Club", inverse: "trips", .nullify)]),
      Entity(
        name: "Link", attributes: [attribute("number", .integer64)],
        relationships: [
          toOne("next", "Link", inverse: "previous", .cascade),
          toOne("previous", "Link", inverse: "next", .nullify),
        ]),
    ])

  private static func attribute(_ name: String, _ type: AttributeType) -> Attribute {
    Attribute(name: name, type: type, isOptional: true)
  }

  private static func toOne(
    _ name: String, _ destination: String, inverse: String?, _ rule: Relationship.DeleteRule,
    isOptional: Bool = true
  ) -> Relationship {
    Relationship(
      name: name, destination: destination, inverse: inverse, isOptional: isOptional,
      deleteRule: rule)
  }

  private static func toMany(
    _ name: String, _ destination: String, inverse: String? = nil, ordered: Bool = false,
    _ rule: Relationship.DeleteRule
  ) -> Relationship {
    Relationship(
      name: name, destination: destination, inverse: inverse,
      cardinality: .toMany(ordered: ordered), isOptional: true, deleteRule: rule)
  }
}
