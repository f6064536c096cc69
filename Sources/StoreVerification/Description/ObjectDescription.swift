package import RecordFormats
package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout
package import StoreModel

/// One row with all that belongs to it.
package struct ObjectDescription {
  package var entity: EntityLayout
  package var key: Int64
  /// How often it was saved.
  package var version: Int64
  /// One row: the stored attributes, by name.
  package var values: PackedRows
  package var shape: RowShape
  package var types: [AttributeType]
  /// By name.
  package var relationships: [Links]
  /// Relationships without an inverse that lead here, and whose rows they are.
  package var referrers: [Links]

  /// A relationship of the row, or one of other rows that leads to it.
  package struct Links: Hashable {
    package var relationship: Relationship
    /// The entity that has it.
    package var owner: String
    package var count: Int64
    /// The first rows at its other end.
    package var first: [RowKey]
    /// Its key is that of no row.
    package var isDangling = false
  }

  package struct RowKey: Hashable {
    /// `Z_ENT`
    package var entity: Int64
    package var key: Int64

    package init(entity: Int64, key: Int64) {
      self.entity = entity
      self.key = key
    }
  }
}

/// A row that is asked for and not there.
package struct NoSuchRow: Error, Hashable {
  package var entity: String
  package var key: Int64
  /// The entity of the row that has the key in the table, where there is one.
  package var otherEntity: String?
  /// The next keys of the entity's rows, downwards and upwards.
  package var neighbors: [Int64]
}

extension NoSuchRow: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    let diagnostic = Diagnostic(
      .error, "store.no-row", "there is no row \(entity)/p\(key)", cause: .notFound)
    if let otherEntity, otherEntity != entity {
      return [diagnostic.helping("\(otherEntity)/p\(key) is one: the entities share a table")]
    }
    guard !neighbors.isEmpty else {
      return [diagnostic.helping("'\(entity)' has no rows")]
    }
    let near = neighbors.map { "\(entity)/p\($0)" }.joined(separator: " and ")
    return [diagnostic.helping("the nearest \(neighbors.count == 1 ? "is" : "are") \(near)")]
  }
}
