/// What a store's own catalogue says, as far as a layout depends on it.
package struct StoreSchema: Hashable, Sendable {
  /// The columns of every table, in their order. Views and virtual tables are not among them.
  package var columns: [String: [String]]
  package var primaryKeys: [PrimaryKeyRow]
  /// The indexes of every table; what a PRIMARY KEY or UNIQUE clause makes is one, too.
  package var indexes: [String: Set<Index>] = [:]
  package var triggers: Set<String> = []
  /// What is no table but can be asked like one, by its name in upper case.
  var standIns: [String: StandIn] = [:]

  package init(columns: [String: [String]], primaryKeys: [PrimaryKeyRow]) {
    self.columns = columns
    self.primaryKeys = primaryKeys
  }

  package struct Index: Hashable, Sendable {
    package var columns: [String]
    /// For all rows: that of a partial index holds for some.
    package var isUnique: Bool

    package init(columns: [String], isUnique: Bool) {
      self.columns = columns
      self.isUnique = isUnique
    }
  }

  package enum StandIn: String, Hashable, Sendable {
    case view
    case virtualTable = "virtual table"
  }

  package func hasTable(_ name: String) -> Bool { columns[name] != nil }

  package func hasColumn(_ column: String, in table: String) -> Bool {
    columns[table]?.contains(column) == true
  }

  /// In any order: the same rows are refused.
  package func isUnique(_ columns: [String], in table: String) -> Bool {
    let wanted = Set(columns)
    return indexes[table]?.contains { $0.isUnique && Set($0.columns) == wanted } == true
  }

  package func hasIndex(_ columns: [String], in table: String) -> Bool {
    indexes[table]?.contains { $0.columns.starts(with: columns) } == true
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
