/// What was done, or would be.
package struct AnonymizationResult: Hashable, Sendable {
  package struct Attribute: Hashable, Sendable {
    package var entity: String
    /// An element of a composite by its path.
    package var name: String
    package var type: String
    package var rule: AnonymizationRule
    /// That is, nothing was said of it.
    package var isDefault: Bool
    /// Those that are not NULL.
    package var values: Int64
  }

  package var attributes: [Attribute] = []
  /// Of the persistent history, which is gone.
  package var transactions: Int64 = 0
  package var changes: Int64 = 0
  /// Tables of CloudKit's that were emptied, with their rows.
  package var cloudTables: [String: Int64] = [:]
  package var otherContent = OtherContent()
  /// Whether that is gone.
  package var dropsOtherContent = false
  /// Keys of the app's own in the metadata that are gone.
  package var metadataKeys: [String] = []
  /// Derived attributes that can't be computed here, and are NULL now.
  package var clearedDerived: [String] = []
  /// Values with files of their own that were replaced.
  package var filesReplaced = 0
  /// Files of kept values.
  package var filesKept = 0
  /// Files of values that are not beside the store, and files of no row that could not be removed.
  package var filesLeft: [String] = []
  package var bytesBefore: Int64 = 0
  /// Nil where nothing was written.
  package var bytesAfter: Int64?
  /// The store's UUID where it got a new one.
  package var newIdentity: String?
}
