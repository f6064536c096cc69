import SQLiteAccess
import StoreDiagnostics
import StoreLayout

/// The indexes to keep, drop and create. SQLite can't rename an index, so a renamed index is dropped and created again.
struct IndexPlan {
  /// A table that is changed in place, possibly with a new name.
  struct KeptTable {
    var old: String
    var new: String
    /// The new names of the kept columns, by the old name.
    var columns: [String: String]
    /// The new names of columns whose values change in many rows.
    var rewritten: Set<String>
  }

  private(set) var dropped: [String] = []
  private(set) var made: [(table: String, index: IndexLayout)] = []

  init(_ source: SourceStore, to target: StoreLayout, kept: [KeptTable]) {
    var open = target.allIndexes
    for table in kept {
      for index in source.indexes.filter({ $0.table.isExactly(table.old) }).map(\.index) {
        let match = index.layout.translated(by: table).flatMap { translated in
          open.firstIndex {
            $0.table.isExactly(table.new) && $0.index.name.isExactly(translated.name)
              && $0.index.isSame(as: translated, where: index.condition)
          }
        }
        if let match { open.remove(at: match) } else { dropped.append(index.name) }
      }
    }
    made = open
  }

  var dropSteps: [MigrationStep] {
    dropped.map { MigrationStep("DROP INDEX \(name: $0)", "drops the index \($0)", .schema) }
  }

  var makeSteps: [MigrationStep] {
    made.map { table, index in
      MigrationStep(defining: index.sql(on: table), "creates the index \(index.name)", .rows(table))
    }
  }
}

extension IndexLayout {
  /// Returns the index with the new names of its columns. Returns nil if a column isn't kept, or its values change in
  /// many rows.
  fileprivate func translated(by table: IndexPlan.KeptTable) -> IndexLayout? {
    var index = self
    for position in columns.indices {
      guard let new = table.columns[columns[position].name], !table.rewritten.contains(new) else {
        return nil
      }
      index.columns[position].name = new
    }
    return index
  }

  /// Whether the indexes are equal except for their names. `condition` is the other index's condition in the store.
  fileprivate func isSame(as other: IndexLayout, where condition: String?) -> Bool {
    isUnique == other.isUnique && (self.condition?.literalText).isExactly(condition)
      && columns.map(\.name).isExactly(other.columns.map(\.name))
      && columns.map { $0.isAscending ?? true } == other.columns.map { $0.isAscending ?? true }
  }
}

/// The triggers of derived attributes and of R-trees. If a table, trigger or R-tree changes, all of them are dropped,
/// because they must not run while rows are rewritten, and renaming a table would change their SQL. After the rows have
/// been migrated, they are created again, and R-trees are filled. Triggers on tables of other programs don't change.
struct TriggerPlan {
  let dropSteps: [MigrationStep]
  let makeSteps: [MigrationStep]

  init(
    from source: SourceStore, to target: StoreLayout, isTouched: Bool
  ) {
    let tables = source.layout.ownTables
    let own = source.schema.database.triggers.filter { tables.contains(ExactText($0.table)) }
    let trees = source.layout.rTrees.map(\.name)
      .filter { source.schema.database.virtualTables[$0] != nil }
    let old = own.map(\.name).exact
    let new = target.allTriggers.map(\.name).exact
    guard isTouched || old != new || trees.exact != target.rTrees.map(\.name).exact else {
      (dropSteps, makeSteps) = ([], [])
      return
    }
    dropSteps =
      own.map {
        MigrationStep("DROP TRIGGER \(name: $0.name)", "drops the trigger \($0.name)", .schema)
      } + trees.map { MigrationStep("DROP TABLE \(name: $0)", "drops the R-tree \($0)", .schema) }
    makeSteps =
      target.rTrees.flatMap { tree in
        [
          MigrationStep(defining: tree.sql, "creates the R-tree \(tree.name)", .schema),
          MigrationStep(tree.filling(), "fills the R-tree \(tree.name)", .rows(tree.table)),
        ]
      }
      + target.allTriggers.map {
        MigrationStep(defining: $0.sql, "creates the trigger \($0.name)", .schema)
      }
  }
}
