/// Why rows that a model accepts can't be made.
enum SeedError: Error, Hashable {
  /// A uniqueness constraint over values of which there are not enough.
  case tooFewValues(entity: String, properties: [String], possible: UInt64, wanted: Int)
  /// Bounds or a pattern of a required attribute that no value keeps to.
  case noValue(entity: String, attribute: String, TextRules.Issue?)
  /// A required relationship, and no row that it could lead to.
  case noDestination(entity: String, relationship: String, destination: String)
  /// A relationship that needs more rows of an entity than there are to be.
  case tooFewRows(relationship: String, entity: String, needed: Int, have: Int)
  case unsatisfiableCounts(relationship: String, inverse: String?, rows: Int, members: Int)
}
