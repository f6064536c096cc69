import SQLiteAccess
import StoreLayout
import StoreDiagnostics

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
