import SQLiteAccess
import StoreDiagnostics
import StoreLayout

/// What becomes of the indexes: kept, dropped, made. SQLite can't rename an index, so one that gets another name is
/// dropped and made.
struct IndexPlan {
  /// A table that stays where it is, perhaps under another name.
  struct KeptTable {
    var old: String
    var new: String
    /// Its columns' new names, where they stay.
    var columns: [String: String]
    /// Columns whose values change for many rows, by their new names.
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
      MigrationStep(defining: index.sql(on: table), "makes the index \(index.name)", .rows(table))
    }
  }
}

extension IndexLayout {
  /// As it is once the table's columns have their new names; nil when it can't stay.
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

  /// Equal but for the name.
  fileprivate func isSame(as other: IndexLayout, where condition: String?) -> Bool {
    isUnique == other.isUnique && (self.condition?.literalText).isExactly(condition)
      && columns.map(\.name).isExactly(other.columns.map(\.name))
      && columns.map { $0.isAscending ?? true } == other.columns.map { $0.isAscending ?? true }
  }
}

/// The triggers of derived attributes and of R-trees: they must not run while rows are rewritten, and a
/// renamed table would leave them with quoted names. So an R-tree is made from the rows as they are in
/// the end. Triggers on tables of an app's own are left alone.
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
          MigrationStep(defining: tree.sql, "makes the R-tree \(tree.name)", .schema),
          MigrationStep(tree.filling(), "fills the R-tree \(tree.name)", .rows(tree.table)),
        ]
      }
      + target.allTriggers.map {
        MigrationStep(defining: $0.sql, "makes the trigger \($0.name)", .schema)
      }
  }
}
