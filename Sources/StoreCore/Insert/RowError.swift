package import StoreModel
package import StoreDiagnostics

/// A record that cannot become a row.
package struct RowError: Error, Hashable {
  package enum Kind: Error, Hashable, Sendable {
    case value(property: String, shown: String, ValueError)
    case unknownKey(String, known: [String])
    case refusedKey(String, InsertPlan.Refusal)
    case repeatedKey(String)
    /// Values by property, as they would be stored, that a row of the entity `owner` has.
    case conflict(values: [String: String], owner: String? = nil, policy: ConflictPolicy? = nil)
    case danglingReference(property: String, destination: String, key: Int64)
    /// A description of a to-one's destination that not exactly one row fits.
    case destination(property: String, RowLookupError)
    /// An update of what is there meets a relationship whose other side would have to follow.
    case linkOfExistingRow(property: String)
    /// An object says something else than another one with the same key.
    case contradiction(property: String, key: [String], isInStore: Bool)
    /// Several rows have the values of an object's key.
    case severalRows(key: [String])
    /// The input is not a list of records.
    case notARecord(String)
  }

  package var kind: Kind
  package var entity: String
  /// The record's number in the input, from 1; nil for a header and for a row of no input.
  package var record: Int?
  package var place: SourcePlace?
  package var excerpt: Diagnostic.Excerpt?

  package init(
    _ kind: Kind, entity: String, record: Int?, place: SourcePlace? = nil,
    excerpt: Diagnostic.Excerpt? = nil
  ) {
    self.kind = kind
    self.entity = entity
    self.record = record
    self.place = place
    self.excerpt = excerpt
  }
}
