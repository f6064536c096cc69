package import RecordFormats
package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout
package import StoreModel

/// One row, its relationships and the rows that refer to it.
package struct ObjectDescription {
  package var entity: EntityLayout
  package var key: Int64
  /// The number of times that the row was saved (`Z_OPT`).
  package var version: Int64
  /// One row with the values of the stored attributes, sorted by the attribute's name.
  package var values: PackedRows
  package var shape: RowShape
  /// The types of the attributes in `values`, in the same order.
  package var types: [AttributeType]
  /// The relationships of the row, sorted by name.
  package var relationships: [Links]
  /// The relationships of other rows that refer to this row and have no inverse.
  package var referrers: [Links]

  /// A relationship of the row, or a relationship of other rows that refers to it.
  package struct Links: Hashable {
    package var relationship: RelationshipDescription
    /// The name of the entity whose rows have the relationship.
    package var owner: String
    /// The number of destination rows, or of rows that refer to the row.
    package var count: Int64
    /// The first of these rows.
    package var first: [RowKey]
    /// Whether a to-one relationship contains a key that doesn't belong to any row.
    package var isDangling = false
  }

  package struct RowKey: Hashable {
    /// The entity's number (`Z_ENT`).
    package var entity: Int64
    package var key: Int64

    package init(entity: Int64, key: Int64) {
      self.entity = entity
      self.key = key
    }
  }
}

/// The error for a requested row that doesn't exist.
package struct NoSuchRow: Error, Hashable {
  package var entity: String
  package var key: Int64
  /// The entity of the row that has the key in the same table; nil if no row has the key, or if its entity is unknown.
  package var otherEntity: String?
  /// The nearest smaller and larger keys of the entity's rows.
  package var neighbors: [Int64]
}

extension NoSuchRow: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] {
    let diagnostic = DiagnosticMessage.error(
      "store.no-row", "row \(entity)/p\(key) doesn't exist", cause: .notFound)
    if let otherEntity, otherEntity != entity {
      return [diagnostic.helping("\(otherEntity)/p\(key) exists; the entities share a table")]
    }
    guard !neighbors.isEmpty else {
      return [diagnostic.helping("'\(entity)' has no rows")]
    }
    let near = neighbors.map { "\(entity)/p\($0)" }.joined(separator: " and ")
    return [diagnostic.helping("the nearest \(neighbors.count == 1 ? "is" : "are") \(near)")]
  }
}
