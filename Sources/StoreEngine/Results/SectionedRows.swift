package import SQLiteAccess

/// Rows in their order and sections, as numbers: what two states of a list are compared by.
package struct SectionedRows: Hashable, Sendable {
  package struct Section: Hashable, Sendable {
    /// The value that its rows have in common; two sections never have the same.
    package var value: SQLiteValue
    package var rows: Range<Int>

    package init(value: SQLiteValue, rows: Range<Int>) {
      self.value = value
      self.rows = rows
    }
  }

  /// `Z_PK` of each row; no two are the same.
  package var keys: [Int64]
  /// What the values of each row add up to: another number when one of them has changed.
  package var fingerprints: [UInt64]
  /// One behind the other, they cover all rows.
  package var sections: [Section]

  package init(keys: [Int64], fingerprints: [UInt64], sections: [Section]) {
    self.keys = keys
    self.fingerprints = fingerprints
    self.sections = sections
  }

  package var count: Int { keys.count }

  /// The index path of the row at a place in the whole list.
  package func indexPath(at place: Int) -> ResultIndexPath {
    let section = sections.indices.firstPlace { sections[$0].rows.upperBound > place }
    return ResultIndexPath(section: section, row: place - sections[section].rows.lowerBound)
  }
}
