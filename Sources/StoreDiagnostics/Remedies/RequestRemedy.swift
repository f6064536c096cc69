/// A remedy if a request isn't valid.
public enum RequestRemedy: Hashable, Sendable {
  /// Exclude the rows that violate a validation rule. If `orSkipValidation` is true, the rows can also be written
  /// without validation.
  case chooseRows(orSkipValidation: Bool)
  /// Fetch the rows of the entity that match the request's predicate, to inspect them.
  case showMatches(entity: String)
  /// Move an aggregate of the fetched rows to the selection or to the filter of groups.
  case moveAggregate
  /// To get the row with the smallest or largest value, sort by a key path and fetch the first row.
  case sortForFirst(keyPath: String, isDescending: Bool)
  /// Set a to-many relationship by linking rows.
  case link(entity: String, relationship: String)
  /// Group the rows also by the selected values, or aggregate the values. `keyPath` is nil if the values don't have a
  /// key path.
  case groupOrFold(keyPath: String?)
  /// Select a value with this name, to which the request refers.
  case nameSelectedValue(String)
  /// Select values of a group, or count the groups.
  case selectOrCountGroups
  /// Group the rows, or filter rows instead of groups.
  case groupOrFilterRows
  /// Count the affected rows or links by a dry run without an expected number.
  case countAgain
  /// Replace a variable with a value. Only templates can contain variables.
  case giveValue
  /// Export one entity, or use a format for several entities.
  case exportOneEntity
  /// Specify the attributes that distinguish the rows of an entity, or compare other entities.
  case nameKey(entity: String)

  var sentence: String {
    switch self {
    case .chooseRows(orSkipValidation: true):
      """
      exclude such rows with a predicate, or omit the validation to store the values unchecked, as Core Data's \
      batch updates do
      """
    case .chooseRows(orSkipValidation: false): "exclude such rows with a predicate"
    case .showMatches(let entity): "fetch '\(entity)' with the predicate to see what matches"
    case .moveAggregate:
      "move it to the selection, to the filter of groups, or after a to-many relationship"
    case .sortForFirst(let keyPath, let isDescending):
      "sort by '\(keyPath)', \(isDescending ? "descending" : "ascending"), and limit the rows to 1"
    case .link(let entity, let relationship): "link rows of '\(entity).\(relationship)'"
    case .groupOrFold(let keyPath):
      "group by \(keyPath.map { "'\($0)'" } ?? "it") too, or aggregate it with \(Self.aggregates)"
    case .nameSelectedValue(let name): "select a value under the name '\(name)'"
    case .selectOrCountGroups: "select values of a group, or count the groups"
    case .groupOrFilterRows: "group the rows, or filter them with a predicate"
    case .countAgain: "to count them again, do a dry run without the expected number"
    case .giveValue: "replace it with a value; only templates can have variables"
    case .exportOneEntity: "specify one entity, or choose a format for several entities"
    case .nameKey: "specify the attributes that distinguish its rows, or compare other entities"
    }
  }

  /// The names of the functions that aggregate rows, as text for sentences.
  package static let aggregates = "sum, avg, min, max, count, median or stddev"
}
