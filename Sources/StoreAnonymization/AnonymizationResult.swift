/// The result of an anonymization or of its dry run.
package struct AnonymizationResult: Hashable, Sendable {
  package struct Attribute: Hashable, Sendable {
    package var entity: String
    /// The name of the attribute. For an element of a composite, this is its path.
    package var name: String
    package var type: String
    package var rule: AnonymizationRule
    /// Whether the attribute has no rule, so that its values are kept.
    package var isDefault: Bool
    /// The number of values that aren't NULL.
    package var values: Int64
  }

  package var attributes: [Attribute] = []
  /// The number of transactions in the persistent history, which is removed.
  package var transactions: Int64 = 0
  package var changes: Int64 = 0
  /// The numbers of rows in CloudKit's tables, which are emptied, by table.
  package var cloudTables: [String: Int64] = [:]
  package var otherContent = OtherContent()
  /// Whether the other content is removed.
  package var dropsOtherContent = false
  /// The app's own keys in the metadata, which are removed.
  package var metadataKeys: [String] = []
  /// Derived attributes that can't be computed and become NULL.
  package var clearedDerived: [String] = []
  /// The number of replaced values in external files, including missing files.
  package var filesReplaced = 0
  /// The number of files with values that are kept.
  package var filesKept = 0
  /// Files that can still contain old values: missing files, and files of replaced values and orphaned files that
  /// weren't removed.
  package var filesLeft: [String] = []
  package var bytesBefore: Int64 = 0
  /// Nil if nothing was written.
  package var bytesAfter: Int64?
  /// The new UUID of the store, or nil if its UUID is kept.
  package var newIdentity: String?
}
