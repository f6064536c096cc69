package import RecordFormats
package import SQLiteAccess

/// A row that only one store has, or that differs between the stores. It is valid until the next difference.
package struct VisitedDifference {
  package typealias Kind = RowDifference.Kind

  package let kind: Kind
  package let entity: ComparedEntity
  /// The indexes of the entity's properties that differ. If only one store has the row, the indexes of all properties
  /// whose values are available.
  package let properties: [Int]
  /// The row of the older store; nil if the row was added, or if a history doesn't contain its earlier values.
  package let old: Row?
  /// The row of the newer store; nil if the row was removed.
  package let new: Row?

  /// A row of one store, which is valid until the next difference. It contains its object ID, then the entity's
  /// properties.
  package struct Row {
    package let rows: PackedRows
    package let shape: RowShape

    package static func column(ofProperty index: Int) -> Int { index + 1 }
  }
}
