/// A remedy if a request isn't valid.
public enum RequestRemedy: Hashable, Sendable {
  /// Exclude the rows that violate a rule. With `orSkipValidation`, the store could also accept them.
  case chooseRows(orSkipValidation: Bool)
  /// Fetch the rows that match.
  case showMatches(entity: String)
  /// Move an aggregate of the fetched rows to the selection or to the filter of groups.
  case moveAggregate
  /// Sort by a key path and use the first row, for the row with the smallest or the largest value.
  case sortForFirst(keyPath: String, isDescending: Bool)
  /// Set a to-many relationship by linking rows.
  case link(entity: String, relationship: String)
  /// Group the rows by a key path too, or aggregate its values. Nil if the values have no key path.
  case groupOrFold(keyPath: String?)
  /// Select a value with a name.
  case nameSelectedValue(String)
  /// Select values of a group, or count the groups.
  case selectOrCountGroups
  /// Group the rows, or filter rows instead of groups.
  case groupOrFilterRows
  /// Write a value instead of the variable, or define a template with the request.
  case giveValue
  /// Export one entity, or use a format for several entities.
  case exportOneEntity
  /// Specify the attributes that distinguish the rows of an entity, or compare other entities.
  case nameKey(entity: String)

  var sentence: String {
    switch self {
    case .chooseRows(orSkipValidation: true):
      """
      a predicate leaves such rows out; without validation they are stored as Core Data's batch \
      updates do
      """
    case .chooseRows(orSkipValidation: false): "a predicate leaves such rows out"
    case .showMatches(let entity): "fetch '\(entity)' with the predicate to see what matches"
    case .moveAggregate:
      "move it to the selection, to the filter of groups, or after a to-many relationship"
    case .sortForFirst(let keyPath, let isDescending):
      "sort by '\(keyPath)', \(isDescending ? "descending" : "ascending"), and limit the rows to 1"
    case .link(let entity, let relationship): "link rows of '\(entity).\(relationship)'"
    case .groupOrFold(let keyPath):
      "group by \(keyPath.map { "'\($0)'" } ?? "it") too, or fold it with \(Self.aggregates)"
    case .nameSelectedValue(let name): "select a value under the name '\(name)'"
    case .selectOrCountGroups: "select values of a group, or count the groups"
    case .groupOrFilterRows: "add a grouping, or filter rows"
    case .giveValue: "write the value in its place; variables are for templates"
    case .exportOneEntity: "specify one entity, or choose a format for several entities"
    case .nameKey: "specify the attributes that distinguish its rows, or compare other entities"
    }
  }

  /// The aggregates of rows, for sentences.
  package static let aggregates = "sum, avg, min, max, count, median or stddev"
}
