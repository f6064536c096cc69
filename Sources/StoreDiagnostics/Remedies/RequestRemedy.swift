/// What helps where a request asks for what it can't have.
public enum RequestRemedy: Hashable, Sendable {
  /// Leave out the rows that stand in the way; `orSkipValidation` where the store could take them.
  case chooseRows(orSkipValidation: Bool)
  /// Fetch what matches, to see it.
  case showMatches(entity: String)
  /// An aggregate of the fetched rows belongs to what is selected, or to the filter of groups.
  case moveAggregate
  /// Sort by a key path and take the first row, for the row with the smallest or the largest value.
  case sortForFirst(keyPath: String, isDescending: Bool)
  /// Set a to-many relationship by linking rows.
  case link(entity: String, relationship: String)
  /// Group the rows by a key path too, or fold its values; nil where the values have no key path.
  case groupOrFold(keyPath: String?)
  /// Select a value under a name.
  case nameSelectedValue(String)
  /// Select what is shown of a group, or count the groups.
  case selectOrCountGroups
  /// Group the rows, or filter rows instead of groups.
  case groupOrFilterRows
  /// Give the variable a value: write it in its place, or make a template of the request.
  case giveValue
  /// Export one entity, or in a format that takes several.
  case exportOneEntity
  /// Name the attributes that tell the rows of an entity apart, or compare other entities.
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
      "it belongs in the selection, the filter of groups, or behind a to-many relationship"
    case .sortForFirst(let keyPath, let isDescending):
      "sort by '\(keyPath)', \(isDescending ? "descending" : "ascending"), and limit the rows to 1"
    case .link(let entity, let relationship): "link rows of '\(entity).\(relationship)'"
    case .groupOrFold(let keyPath):
      "group by \(keyPath.map { "'\($0)'" } ?? "it") too, or fold it with \(Self.aggregates)"
    case .nameSelectedValue(let name): "select a value under the name '\(name)'"
    case .selectOrCountGroups: "select what to show of a group, or count the groups"
    case .groupOrFilterRows: "add a grouping, or filter rows"
    case .giveValue: "write the value in its place; variables are for templates"
    case .exportOneEntity: "name one entity, or choose a format that takes several"
    case .nameKey: "name the attributes that tell its rows apart, or compare other entities"
    }
  }

  /// The aggregates of rows, as a sentence lists them.
  package static let aggregates = "sum, avg, min, max, count, median or stddev"
}
