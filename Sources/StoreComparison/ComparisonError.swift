package import StoreDiagnostics

/// Why two stores can't be compared as was asked for.
package enum ComparisonError: Error, Hashable, Sendable {
  case unknownEntity(String, known: [String])
  case unknownProperty(String, entity: String?, known: [String])
  case keyOfRelationship(String, entity: String)
  case keyChangedType(String, entity: String)
  /// Two keys for one entity.
  case repeatedKey(String)
  /// Rows are to be matched by key, and nothing is one.
  case noKey(entity: String)
  /// Several rows of a store have one key.
  case ambiguousKey(entity: String, values: [String], rowCount: Int64, path: FilePath)
}
