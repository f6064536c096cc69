import StoreModel

/// The numbers that stand for types and rules in a compiled model (docs/formats/compiled-models.md).
enum ArchivedCode {
  static let attributeTypes: [(code: Int64, type: AttributeType)] = [
    (0, .undefined), (100, .integer16), (200, .integer32), (300, .integer64), (400, .decimal),
    (500, .double), (600, .float), (700, .string), (800, .boolean), (900, .date), (1000, .binary),
    (1100, .uuid), (1200, .uri), (1800, .transformable), (2000, .objectID),
  ]
  /// Its attributes stand beside it.
  static let composite: Int64 = 2100

  static let deleteRules: [(code: Int64, rule: Relationship.DeleteRule)] = [
    (0, .noAction), (1, .nullify), (2, .cascade), (3, .deny),
  ]
}
