import SQLiteAccess
import StoreCore
package import StoreLayout
package import StoreModel

/// The migration of one store, worked out but not begun: one plan after the other, in one
/// transaction.
package struct Migration: Hashable, Sendable {
  /// The version that wrote the store.
  package let source: String
  /// The version that it becomes.
  package let target: String
  /// Never empty: each begins where the one before it ends.
  package private(set) var plans: [MigrationPlan]
  let metadataStep: MigrationStep
  /// The model that the store will carry, compiled: an app that migrates on finds its source model there. Nil for none.
  let carriedModel: Model?

  /// - Parameters:
  ///   - model: what the metadata will say.
  ///   - metadata: the store's.
  /// - Throws: an error of `PropertyListEncoder`.
  package init(
    from source: String, to target: String, by plans: [MigrationPlan], model: ModelFingerprint,
    metadata: StoreMetadata, carrying carriedModel: Model? = nil
  ) throws {
    self.carriedModel = carriedModel
    self.source = source
    self.target = target
    self.plans = plans
    metadataStep = try MigrationBookkeeping.metadataStep(from: metadata, to: model)
  }

  /// Every statement that changes the store, in the order in which it runs.
  package var steps: [MigrationStep] {
    plans.flatMap { $0.prelude + $0.steps + $0.epilogue } + [metadataStep]
  }

  /// Whether anything takes the longer the more rows there are.
  package var rewritesRows: Bool {
    plans.contains { plan in
      !plan.prelude.isEmpty || !plan.epilogue.isEmpty
        || plan.tables.contains { $0.strategy.rewritesRows }
    }
  }

  package var losses: [PossibleLoss] { plans.flatMap(\.losses) }
}

extension Migration {
  /// Works out the plans behind one anew, where SQL or code of the program's own has changed rows that they begin with.
  ///
  /// - Throws: as planning.
  mutating func replan(
    behind index: Int, of store: Store, on connection: Connection
  ) throws {
    let done = plans[index]
    guard index + 1 < plans.count, !done.epilogue.isEmpty || done.mapping.definition?.step != nil
    else { return }
    let source = try SourceStore(done.target, connection.schema(), connection)
    plans[(index + 1)...] = try MigrationAssembly.plans(
      plans[(index + 1)...].map(\.mapping), from: source, storeUUID: store.metadata.uuid)[...]
  }
}

extension TableTransition.Strategy {
  package var rewritesRows: Bool {
    switch self {
    case .unchanged, .create, .schema: false
    case .update, .dropColumns, .rebuild, .drop: true
    }
  }

  /// How often the bytes of a table are written, at worst, to the journal and to the file's end.
  var copies: Int64 {
    switch self {
    case .unchanged, .create, .schema: 0
    case .update, .dropColumns, .drop: 1
    case .rebuild: 2
    }
  }
}
