package import StoreDiagnostics
import StoreLayout

/// Why a store was not anonymized; it is as it was.
package enum AnonymizationError: Error, Hashable, Sendable {
  /// Attributes of which nothing is said: `Person.name`.
  case noRules([String])
  /// What the file holds besides the model's rows, and what may hold copies of their values.
  case otherContent(OtherContent)
  /// Something of that can't be dropped, in SQLite's words.
  case undroppable(String, words: String)
  /// Values that no attribute has a rule for, since they are not of its type.
  case strayValues(attribute: String, count: Int64)
  /// Text or data where keys of rows, numbers of entities or places in orders are.
  case strayReferences(table: String, column: String, count: Int64)
  /// Rows of no entity of the model.
  case strayRows(table: String, count: Int64)
  /// A value that its rule can't take.
  case unfitValue(String)
  /// New values are alike where they may not be, in SQLite's words.
  case notUnique(words: String)
  /// Rows name files that are missing, so that a replaced value could not be found again.
  case missingFiles([String], folder: FilePath)
  /// The new store has other rows.
  case rowsDiffer(table: String, before: Int64?, after: Int64?)
}
