import SQLiteAccess
import StoreLayout
import StoreDiagnostics

/// The names of the tables, views, indexes and triggers in a store that don't belong to Core Data. In SQLite, triggers
/// have their own namespace, and the other objects share one. Both ignore case.
package struct ForeignNames: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case table, view, index, trigger
    case virtualTable = "virtual table"
  }

  /// The kind of each object, by its name in lower case.
  private(set) var objects: ExactDictionary<Kind> = [:]
  private(set) var triggers: Set<ExactText> = []

  /// - Throws: `MigrationRunError.nameInTheWay` if one of these objects has a name that the target requires.
  func requireFree(for target: StoreLayout) throws(MigrationRunError) {
    let names =
      (target.tables.map(\.name) + target.joinTables.map(\.name)).map { (Kind.table, $0) }
      + target.rTrees.flatMap(\.tableNames).map { (Kind.table, $0) }
      + target.allIndexes.map { (Kind.index, $0.index.name) }
    for (kind, name) in names {
      // A name that differs only in Unicode normalization conflicts too, because stores with both are rejected.
      guard let holder = objects.first(where: { $0.key == name.lowercased() })?.value else {
        continue
      }
      throw .nameInTheWay(name, of: kind, holder: holder)
    }
    for trigger in target.allTriggers
    where triggers.contains(ExactText(trigger.name.lowercased())) {
      throw .nameInTheWay(trigger.name, of: .trigger, holder: .trigger)
    }
  }
}

extension DatabaseSchema {
  /// Returns the objects that belong neither to the layout nor to Core Data.
  func foreignNames(besides layout: StoreLayout) -> ForeignNames {
    let own = layout.ownTables
    var objects: ExactDictionary<ForeignNames.Kind> = [:]
    for (name, kind) in standIns where !own.contains(ExactText(name)) {
      objects[name.lowercased()] = kind == .view ? .view : .virtualTable
    }
    for table in tables.values where !own.contains(ExactText(table.name)) {
      objects[table.name.lowercased()] = .table
      for index in table.indexes where index.definition != nil {
        objects[index.name.lowercased()] = .index
      }
    }
    let triggers = triggers.filter { !own.contains(ExactText($0.table)) }
      .map { $0.name.lowercased() }
    return ForeignNames(objects: objects, triggers: triggers.exact)
  }
}

extension StoreLayout {
  /// The tables of entities, relationships and R-trees, and Core Data's own tables.
  var ownTables: Set<ExactText> {
    (tables.map(\.name) + joinTables.map(\.name) + rTrees.flatMap(\.tableNames)
      + SchemaSnapshot.ownTables).exact
  }
}
