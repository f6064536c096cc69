/// What a store's own catalogue says, as far as a layout depends on it.
package struct StoreSchema: Hashable, Sendable {
  /// The columns of every table, in their order.
  package var columns: [String: [String]]
  package var primaryKeys: [PrimaryKeyRow]

  package init(columns: [String: [String]], primaryKeys: [PrimaryKeyRow]) {
    self.columns = columns
    self.primaryKeys = primaryKeys
  }

  func hasTable(_ name: String) -> Bool { columns[name] != nil }

  func hasColumn(_ column: String, in table: String) -> Bool {
    columns[table]?.contains(column) == true
  }
}

/// A row of `Z_PRIMARYKEY`.
package struct PrimaryKeyRow: Hashable, Sendable {
  /// `Z_ENT`
  package var number: Int64
  /// `Z_NAME`; in a store whose entity was renamed in place, it can be the old name.
  package var name: String
  /// `Z_SUPER`: the parent's number, 0 for a root.
  package var parentNumber: Int64
  /// `Z_MAX`: the highest `Z_PK` ever handed out, kept on the root.
  package var highestKey: Int64

  package init(number: Int64, name: String, parentNumber: Int64 = 0, highestKey: Int64 = 0) {
    self.number = number
    self.name = name
    self.parentNumber = parentNumber
    self.highestKey = highestKey
  }
}
