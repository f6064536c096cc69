import SQLiteAccess
import RecordFormats
import StoreDiagnostics
import StoreMigration
import StoreModel
import StoreModelReader

/// The output of `migrate status`.
struct MigrationStatusFacts: Encodable {
  let store: LocalPath
  let model, version, target: String
  let pending: Bool
  let path: [Leg]

  struct Leg: Encodable {
    let from, to: String
    let by: String?
    let over, keeps, mismatches: [String]
  }

  init(_ request: RequestedMigration) {
    (store, model) = (request.storePath, request.modelName)
    (version, target) = (request.source.name, request.target)
    pending = request.isPending
    path = request.route.legs.map { leg in
      let by =
        switch leg.path {
        case .inferred: String?("inference")
        case .custom(let jump): request.definitionPath(of: jump).map { "\($0)" }
        }
      return Leg(
        from: leg.path.ends.from, to: leg.path.ends.to, by: by, over: leg.over,
        keeps: leg.renames.map { "\($0.source) as \($0.target)" },
        mismatches: leg.mismatches.map { "\($0.source) as \($0.target)" })
    }
  }
}

/// The output of `migrate plan`.
struct MigrationPlanFacts: Encodable {
  @Flattened var status: MigrationStatusFacts
  let diskNeeded, backupBytes: Int64
  let seconds: JSONValue
  let notes: [String]
  let problems: [Issue]
  let losses: [LossFacts]
  @OmittedIfNil var straightProblems: [Issue]?
  @OmittedIfNil var straightLosses: [LossFacts]?
  let tables: [Table]
  let proofs: [Scan]
  let steps: [Step]

  struct Issue: Encodable {
    let code, message: String
    let count: Int
    let offenders: [String]
    @OmittedIfNil var groups: [Group]?

    init(_ check: FailedCheck) {
      (code, message) = (check.problem.code, check.problem.sentence)
      (count, offenders) = (check.count, check.offenders.map(\.id))
      guard case .duplicates(_, let properties) = check.problem else {
        groups = nil
        return
      }
      groups = check.offenders.compactMap(\.group).map { group in
        let values = zip(properties, group.values).map {
          JSONValue.Member(key: $0, value: JSONValue(.string($1.literal)))
        }
        return Group(values: JSONValue(.object(values)), count: group.count, rows: group.ids)
      }
    }
  }

  struct Group: Encodable {
    let values: JSONValue
    let count: Int
    let rows: [String]
  }

  struct Table: Encodable {
    let from, to: String?
    let strategy: String
    let rows, bytes: Int64?
  }

  struct Scan: Encodable {
    let subject: String
    let columns: [String]
  }

  struct Step: Encodable { let purpose, effect, sql: String }

  init(
    _ migration: Migration, cost: MigrationCost, findings: MigrationFindings,
    straight: MigrationFindings?, settings: MigrationSettings, of request: RequestedMigration
  ) {
    status = MigrationStatusFacts(request)
    (diskNeeded, backupBytes, seconds) = (cost.disk, cost.backup, .tenths(cost.seconds))
    notes = migration.plans.flatMap(\.notes)
    problems = findings.failedChecks.map(Issue.init)
    losses = findings.losses.map {
      LossFacts($0, allowed: settings.allowedLosses.allow($0.name))
    }
    straightProblems = straight?.failedChecks.map(Issue.init)
    straightLosses = straight?.losses.map { LossFacts($0) }
    tables = cost.tables.map { table in
      let transition = table.transition
      return Table(
        from: transition.from, to: transition.to, strategy: transition.strategy.rawValue,
        rows: table.rows, bytes: table.bytes)
    }
    proofs = migration.plans.flatMap(\.proofs).map {
      Scan(subject: $0.subject, columns: $0.columns)
    }
    steps = migration.steps.map {
      Step(purpose: $0.purpose, effect: $0.effect.words, sql: $0.sql.literalText)
    }
  }
}

/// The output of a migration, or of its dry run.
struct MigrationResultFacts: Encodable {
  let store: LocalPath
  let from, to: String
  let backup: LocalPath?
  let steps, rowsProved, valuesProved, pairsProved: Int
  let bytesBefore, bytesAfter: Int64
  let seconds: JSONValue
  let notes: [String]
  let losses: [LossFacts]
  let proofs: [Proof]

  struct Proof: Encodable {
    let subject: String
    let rows, values: Int
  }

  init(_ result: MigrationResult, of request: RequestedMigration) {
    (store, from, to) = (request.storePath, request.source.name, request.target)
    (backup, steps) = (result.backup, result.steps)
    (rowsProved, valuesProved) = (result.rowsProved, result.valuesProved)
    pairsProved = result.pairsProved
    (bytesBefore, bytesAfter) = (result.bytesBefore, result.bytesAfter)
    (seconds, notes) = (.tenths(result.duration / .seconds(1)), result.notes)
    losses = result.losses.map { LossFacts($0) }
    proofs = result.proofs.map { Proof(subject: $0.subject, rows: $0.rows, values: $0.values) }
  }
}

/// The number of rows of an entity, or of values of a property, that a migration drops. `allowed` is set only in a
/// plan.
struct LossFacts: Encodable {
  let name: String
  let count: Int64
  @OmittedIfNil var allowed: Bool?

  init(_ loss: MigrationLoss, allowed: Bool? = nil) {
    (name, count) = (loss.name, loss.count)
    self.allowed = allowed
  }
}

extension JSONValue {
  /// Returns a number with one decimal, such as `0.4`.
  fileprivate static func tenths(_ seconds: Double) -> JSONValue {
    let tenths = Int((seconds * 10).rounded())
    return JSONValue(.number("\(tenths / 10).\(tenths % 10)"))
  }
}

extension MigrationStep.Effect {
  /// The effect in the output, such as `schema` or `rows ZITEM`.
  fileprivate var words: String {
    switch self {
    case .schema: "schema"
    case .rows(let table): "rows \(table)"
    case .scratch: "scratch"
    case .bookkeeping: "bookkeeping"
    case .script: "script"
    case .question: "question"
    }
  }
}
