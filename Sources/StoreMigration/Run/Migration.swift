import PredicateSQL
import SQLiteAccess
package import StoreCore
package import StoreLayout
package import StoreModel

/// The planned migration of one store: a sequence of plans that run in one transaction.
package struct Migration: Hashable, Sendable {
  /// The version that wrote the store.
  package let source: String
  /// The target version.
  package let target: String
  /// The plans, at least one. Each begins at the version where the previous one ends.
  package private(set) var plans: [MigrationPlan]
  let metadataStep: MigrationStep
  /// The model that the store will contain in compiled form, so that an app can use it as the source of a later
  /// migration; nil if the store shouldn't contain a model.
  let carriedModel: DataModel?

  /// - Parameters:
  ///   - model: the version hashes and names that the metadata will contain.
  ///   - metadata: the current metadata of the store.
  /// - Throws: an error of `PropertyListEncoder`.
  package init(
    from source: String, to target: String, by plans: [MigrationPlan], model: ModelFingerprint,
    metadata: StoreMetadata, carrying carriedModel: DataModel? = nil
  ) throws {
    self.carriedModel = carriedModel
    self.source = source
    self.target = target
    self.plans = plans
    metadataStep = try MigrationBookkeeping.metadataStep(from: metadata, to: model)
  }

  /// All statements that change the store, in the order of execution.
  package var steps: [MigrationStep] {
    plans.flatMap { $0.prelude + $0.steps + $0.epilogue } + [metadataStep]
  }

  /// Whether statements may rewrite rows, so that the duration depends on the number of rows.
  package var rewritesRows: Bool {
    plans.contains { plan in
      !plan.prelude.isEmpty || !plan.epilogue.isEmpty
        || plan.tables.contains { $0.strategy.rewritesRows }
    }
  }

  package var losses: [PossibleLoss] { plans.flatMap(\.losses) }
}

extension Migration {
  /// Plans the mappings after `index` again, if a definition's SQL or a custom step may have changed their source rows.
  ///
  /// - Throws: errors of `MigrationAssembly.plans`.
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
  package var rewritesRows: Bool { copies > 0 }

  /// The number of times that a table's bytes are written in the worst case, to the journal or to the end of the file.
  var copies: Int64 {
    switch self {
    case .unchanged, .create, .schema: 0
    case .update, .dropColumns, .drop: 1
    case .rebuild: 2
    }
  }
}

/// A migration as an SQL script with literal values, for other SQLite engines.
///
/// It contains the checks at the beginning of each plan as comments, and checks between statements as queries. It
/// doesn't contain the proof. The caller must run the checks first.
package struct MigrationScript: Hashable, Sendable {
  package let text: String
  /// The names of storetool's functions that the script calls. Another engine must provide them.
  package let functions: [String]

  /// - Parameter wrapsTransaction: whether the script contains `BEGIN` and `COMMIT`. Some services run each script in a
  ///   transaction and don't accept `BEGIN`.
  package init(_ migration: Migration, wrapsTransaction: Bool = true) {
    var lines = ["-- '\(Self.comment(migration.source))' → '\(Self.comment(migration.target))'"]
    for plan in migration.plans {
      lines += plan.checks.map { "-- must be empty: \(Self.comment($0.offenders.literalText))" }
      lines += plan.losses.map {
        "-- lost from \(Self.comment($0.name)): \(Self.comment($0.count.literalText))"
      }
    }
    if wrapsTransaction { lines.append("BEGIN IMMEDIATE;") }
    for step in migration.steps {
      let isQuestion = step.question != nil
      lines.append("-- \(Self.comment(step.purpose))\(isQuestion ? ": must be empty" : "")")
      lines.append(step.sql.withExactFractions.literalText + ";")
    }
    if wrapsTransaction { lines.append("COMMIT;") }
    text = lines.joined(separator: "\n") + "\n"
    functions = Set(migration.steps.flatMap { SQLFunctions.called(in: $0.sql) }).sorted()
  }

  /// Replaces newlines, which would end the comment.
  private static func comment(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}

/// Creates the plans for the mappings along a path.
package enum MigrationAssembly {
  /// Returns the plans for a sequence of mappings. Adjacent mappings are combined if possible, so that each row is
  /// visited once.
  ///
  /// - Parameters:
  ///   - mappings: the mappings. Each begins at the version where the previous one ends.
  ///   - store: a store of the first mapping's source version. It is only read.
  /// - Throws: `CheckErrors` for a definition, `StoreLayoutError` if the store doesn't have the tables, columns and
  ///   triggers of its model, `MigrationRunError` if the store conflicts with the target, and `DatabaseError`.
  package static func plans(
    _ mappings: [ModelMapping], for store: Store
  ) throws -> [MigrationPlan] {
    guard let first = mappings.first else { return [] }
    return try plans(
      joined(mappings), from: SourceStore(store, of: first.source),
      storeUUID: store.metadata.uuid)
  }

  /// Returns a plan for each mapping.
  ///
  /// - Parameter source: the state of the store before the first mapping.
  /// - Throws: `CheckErrors` for a definition, and `MigrationRunError` if the store conflicts with the target.
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
