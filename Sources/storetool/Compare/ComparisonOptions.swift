import ArgumentParser
import StoreComparison

/// What `diff` compares, and by what it knows rows to be the same.
struct ComparisonOptions: ParsableArguments {
  enum Match: String, ExpressibleByArgument, CaseIterable {
    case id, key
  }

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Only rows of this entity, or of one below it; again for more.", valueName: "name"),
    completion: .furtherEntities)
  var entity: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Properties that don't count: updatedAt, or Item.updatedAt.", valueName: "names"))
  var ignore: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "The attributes that tell an entity's rows apart; again for others.",
      valueName: "Entity.attribute,…"),
    completion: .partsOfModel)
  var key: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "How other rows are matched: id, by object ID, or key, by a uniqueness constraint. Default: "
        + "id where both stores have one UUID."))
  var match: Match?

  var choice: ComparisonPlan.Choice {
    let ignored = ignore.joined(separator: ",").split(separator: ",").map { name in
      String(name.drop { $0 == " " })
    }
    return ComparisonPlan.Choice(entities: entity, ignored: ignored)
  }

  func validate() throws {
    for text in key where EntityKey(text) == nil {
      throw ValidationError("--key takes Entity.attribute, or several: Entity.first,last")
    }
  }

  /// - Parameter isOneStore: whether an object ID of the one store means the same row in the other.
  func rules(isOneStore: Bool) -> MatchingRules {
    let match = match ?? (isOneStore ? .id : .key)
    return MatchingRules(
      rest: match == .id ? .objectID : .uniqueKey, keys: key.compactMap { EntityKey($0) })
  }
}
