import PredicateSQL
import SQLiteAccess
package import StoreCore
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

/// A migration as a text of SQL with all values written out, for other SQLite engines.
///
/// Neither the questions nor the proof are in it: who runs it has answered them before.
package struct MigrationScript: Hashable, Sendable {
  package let text: String
  /// Functions of ours that it calls, by name: another engine would have to have them.
  package let functions: [String]

  /// - Parameter wrapsTransaction: some services run every script in a transaction of their own, and
  ///   take no `BEGIN`.
  package init(_ migration: Migration, wrapsTransaction: Bool = true) {
    var lines = ["-- '\(Self.comment(migration.source))' → '\(Self.comment(migration.target))'"]
    for plan in migration.plans {
      lines += plan.checks.map { "-- must have no row: \(Self.comment($0.offenders.literalText))" }
      lines += plan.losses.map {
        "-- lost from \(Self.comment($0.name)): \(Self.comment($0.count.literalText))"
      }
    }
    if wrapsTransaction { lines.append("BEGIN IMMEDIATE;") }
    for step in migration.steps {
      let isQuestion = step.question != nil
      lines.append("-- \(Self.comment(step.purpose))\(isQuestion ? ": must have no row" : "")")
      lines.append(step.sql.withExactFractions.literalText + ";")
    }
    if wrapsTransaction { lines.append("COMMIT;") }
    text = lines.joined(separator: "\n") + "\n"
    functions = Set(migration.steps.flatMap { SQLFunctions.called(in: $0.sql) }).sorted()
  }

  /// A comment ends with its line.
  private static func comment(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}

/// Turns the mappings along a path into as few plans as can be.
package enum MigrationAssembly {
  /// Neighbours that can be one mapping become one, so that rows are visited once.
  ///
  /// - Parameters:
  ///   - mappings: each begins at the version where the one before it ends.
  ///   - store: of the first mapping's source version; only read.
  /// - Throws: `CheckErrors` of a definition, `DatabaseError`, also for a store that lacks what its model needs.
  package static func plans(
    _ mappings: [ModelMapping], for store: Store
  ) throws -> [MigrationPlan] {
    guard let first = mappings.first else { return [] }
    return try plans(
      joined(mappings), from: SourceStore(store, of: first.source),
      storeUUID: store.metadata.uuid)
  }

  /// A plan for each mapping.
  ///
  /// - Parameter source: what the store holds before the first.
  /// - Throws: as above.
  static func plans(
    _ mappings: [ModelMapping], from source: SourceStore, storeUUID: String
  ) throws -> [MigrationPlan] {
    var source = source
    return try mappings.map { mapping in
      let target = StoreLayout(model: mapping.target)
      let plan = try MigrationPlanner.plan(
        mapping, from: source, to: target, storeUUID: storeUUID)
      source = source.after(plan)
      return plan
    }
  }

  private static func joined(_ mappings: [ModelMapping]) -> [ModelMapping] {
    mappings.reduce(into: []) { joined, next in
      if let last = joined.last, let both = last.followed(by: next) {
        joined[joined.count - 1] = both
      } else {
        joined.append(next)
      }
    }
  }
}
