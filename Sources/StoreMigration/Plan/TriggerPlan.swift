import StoreSQL
import StoreLayout

/// The triggers of derived attributes: they must not run while rows are rewritten, and a renamed
/// table would leave them with quoted names.
struct TriggerPlan {
  let dropSteps: [MigrationStep]
  let makeSteps: [MigrationStep]

  init(_ catalogue: StoreCatalogue, to target: StoreLayout, isTouched: Bool) {
    let old = Set(catalogue.triggers.map(\.name))
    let new = Set(target.triggers.map(\.name))
    guard isTouched || old != new else {
      (dropSteps, makeSteps) = ([], [])
      return
    }
    dropSteps = catalogue.triggers.map {
      MigrationStep("DROP TRIGGER \(name: $0.name)", "drops the trigger \($0.name)", .schema)
    }
    makeSteps = target.triggers.map {
      MigrationStep(defining: $0.sql, "makes the trigger \($0.name)", .schema)
    }
  }
}
