package import RecordFormats
package import SQLiteAccess

/// A row that only one store has, or that is not the same in both.
package struct RowDifference {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case added, removed, changed
  }

  package let kind: Kind
  package let entity: ComparedEntity
  /// The indexes of the entity's properties that differ; all of them where only one store has the row.
  package let properties: [Int]
  /// As the older store has it.
  package let old: Row?
  /// As the newer store has it.
  package let new: Row?

  /// A row of one store, good until the next difference: its object ID, then the entity's properties.
  package struct Row {
    package let rows: PackedRows
    package let shape: RowShape

    /// The column of a property.
    package static func column(ofProperty index: Int) -> Int { index + 1 }
  }
}
