import SQLiteAccess
import StoreSQL
import StoreLayout
import StoreDiagnostics

/// What becomes of the indexes: kept, renamed in the schema, dropped, made.
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
  private(set) var renamed: [(old: String, new: String, table: String, index: IndexLayout)] = []
  private(set) var made: [(table: String, index: IndexLayout)] = []
  /// Names that nothing can get meanwhile, in lower case.
  private let taken: Set<ExactText>

  init(_ source: SourceStore, to target: StoreLayout, kept: [KeptTable]) {
    let tables =
      (target.tables.map(\.name) + target.joinTables.map(\.name)).map { $0.lowercased() }.exact
    taken = tables.union(source.takenNames)
    var open = target.allIndexes
    for table in kept {
      var left = source.indexes.filter { $0.table.isExactly(table.old) }.map(\.index)
      // Equal ones with equal names first: a store may have two indexes on the same columns.
      for byName in [true, false] {
        left.removeAll { index in
          // A table needs the name first.
          guard !tables.contains(ExactText(index.name.lowercased())) else { return false }
          guard let translated = index.layout.translated(by: table),
            let match = open.firstIndex(where: {
              $0.table.isExactly(table.new)
                && $0.index.isSame(as: translated, where: index.condition)
                && (!byName || $0.index.name.isExactly(translated.name))
            })
          else { return false }
          let found = open.remove(at: match)
          if !found.index.name.isExactly(index.name) {
            renamed.append((index.name, found.index.name, table.new, found.index))
          }
          return true
        }
      }
      dropped += left.map(\.name)
    }
    made = open
  }

  var dropSteps: [MigrationStep] {
    dropped.map { MigrationStep("DROP INDEX \(name: $0)", "drops the index \($0)", .schema) }
  }

  /// SQLite has no ALTER INDEX; making an index anew would cost a pass over the table. How a schema may be
  /// written: https://www.sqlite.org/lang_altertable.html#otheralter
  var renameSteps: [MigrationStep] {
    guard !renamed.isEmpty else { return [] }
    let taken = renamed.map(\.old).exact
    var updates: [MigrationStep] = []
    var waiting: [MigrationStep] = []
    for (number, rename) in renamed.enumerated() {
      let aside = TableNames.free(ScratchName.index(number), among: self.taken)
      guard taken.contains(ExactText(rename.new)) else {
        updates.append(schemaRename(rename.old, rename.new, rename.table, rename.index))
        continue
      }
      // Two indexes take each other's names.
      updates.append(schemaRename(rename.old, aside, rename.table, rename.index))
      waiting.append(schemaRename(aside, rename.new, rename.table, rename.index))
    }
    updates += waiting
    var open = MigrationStep("PRAGMA writable_schema = ON", "opens the schema", .schema)
    open.plainly = []
    var close = MigrationStep("PRAGMA writable_schema = RESET", "reads the schema again", .schema)
    close.plainly = []
    return [open] + updates + [close]
  }

  private func schemaRename(
    _ old: String, _ new: String, _ table: String, _ layout: IndexLayout
  ) -> MigrationStep {
    var index = layout
    index.name = new
    var step = MigrationStep(
      """
      UPDATE sqlite_master SET name = \(value: .text(new)), \
      sql = \(value: .text(index.sql(on: table).literalText)) \
      WHERE type = 'index' AND name = \(value: .text(old))
      """, "renames the index \(old)", .schema)
    step.plainly = ["DROP INDEX \(name: old)", index.sql(on: table)]
    return step
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
