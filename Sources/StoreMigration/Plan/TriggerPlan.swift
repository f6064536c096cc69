import SQLiteAccess
import StoreSQL
import StoreLayout
import StoreDiagnostics

/// The triggers of derived attributes: they must not run while rows are rewritten, and a renamed
/// table would leave them with quoted names. Those on tables of an app's own are left alone.
struct TriggerPlan {
  let dropSteps: [MigrationStep]
  let makeSteps: [MigrationStep]

  init(
    from source: SourceStore, to target: StoreLayout, isTouched: Bool
  ) {
    let tables = source.layout.ownTables
    let own = source.schema.database.triggers.filter { tables.contains(ExactText($0.table)) }
    let old = own.map(\.name).exact
    let new = target.triggers.map(\.name).exact
    guard isTouched || old != new else {
      (dropSteps, makeSteps) = ([], [])
      return
    }
    dropSteps = own.map {
      MigrationStep("DROP TRIGGER \(name: $0.name)", "drops the trigger \($0.name)", .schema)
    }
    makeSteps = target.triggers.map {
      MigrationStep(defining: $0.sql, "makes the trigger \($0.name)", .schema)
    }
  }
}
