import SQLiteAccess
import StoreLayout
import StoreModel

/// Runs the plan of a batch update in a write transaction.
struct UpdateRun {
  let plan: UpdatePlan
  let layout: StoreLayout
  let connection: Connection
  var session = HistorySession()
  /// Whether the caller reads the keys of the changed rows later.
  var keepsKeys = false
  /// Receives the maximum number of rows that can change, before the first change.
  var willChange: (Int) -> Void = { _ in }
  /// Is called before each index is created again.
  var willMake: (WorkStep) -> Void = { _ in }

  /// - Throws: `UpdateError` or `MemberCountError` if the rows can't have these values, otherwise `DatabaseError`. The
  ///   transaction must then be rolled back.
  func run() throws -> UpdateResult {
    try checkValues()
    let counts = try MemberCountWatch(
      plan.validates
        ? layout.memberCountRules(over: plan.columns.map(\.name), of: plan.table) : [],
      in: layout, on: connection)
    let strategy = try UpdateStrategy(plan, on: connection)
    willChange(strategy.counts.changed)
    try connection.setPageCache(strategy.movesKeys ? .wide : .usual)
    do {
      try strategy.suspension?.drop(on: connection)
      let changes = try ChangeRecorder(in: layout, on: connection, session: session)
      let isDirect = plan.isDirect && !keepsKeys
      let changed = try isDirect ? changeDirectly(changes) : changeByKey(changes)
      try strategy.suspension?.rebuild(on: connection, willMake: willMake)
      try counts.check()
      try changes.finish()
      var outcome = strategy.counts
      outcome.changed = changed
      return outcome
    } catch let error as DatabaseError {
      throw conflict(error) ?? error
    }
  }

  /// Checks the new values, and returns the strategy that `run` would use, with its counts.
  func dryRun() throws -> UpdateStrategy {
    try checkValues()
    return try UpdateStrategy(plan, on: connection, countsChanges: true)
  }

  private func checkValues() throws {
    if let offender = plan.offender {
      guard let row = try connection.rows(offender).first else {
        StatementRecorder.current?.expectNone(offender, "a row would receive an invalid value")
        return try checkReferences()
      }
      let rule = plan.rules[Int(row[2].integer ?? 0)]
      if rule.problem == .missing, !rule.nullCauses.isEmpty {
        throw UpdateError.computedNull(
          entity: name(row[1]), key: row[0].integer ?? 0, property: rule.property, rule.nullCauses)
      }
      throw UpdateError.row(
        entity: name(row[1]), key: row[0].integer ?? 0, property: rule.property,
        shown: row[3].plainText, rule.problem)
    }
    try checkReferences()
  }

  private func checkReferences() throws {
    for reference in plan.references {
      guard case .integer(let count)? = try connection.rows(reference.count).first?.first,
        count == 0
      else {
        StatementRecorder.current?.expectNone(
          "SELECT 1 WHERE (\(reference.count)) = 0", "the new destination doesn't exist")
        continue
      }
      throw UpdateError.missingDestination(
        property: reference.property, destination: reference.destination, key: reference.key)
    }
  }

  private func changeDirectly(_ changes: ChangeRecorder) throws -> Int {
    try changes.recordUpdates(of: plan.directlyChangedRows, properties: plan.properties)
    return try connection.run(plan.directUpdate)
  }

  private func changeByKey(_ changes: ChangeRecorder) throws -> Int {
    try connection.run(UpdatePlan.keyTableRemoval)
    try connection.run(plan.keyTableDefinition)
    let changed = try connection.run(plan.keyTableFilling)
    try changes.recordUpdates(of: UpdatePlan.keyedRows, properties: plan.properties)
    for owners in plan.owners {
      try changes.recordUpdates(of: owners.rows, properties: [owners.property])
      try connection.run(owners.touch)
    }
    for link in plan.links {
      for (rows, property) in link.partners {
        try changes.recordUpdates(of: rows, properties: [property])
      }
      for (statement, required) in link.releases {
        let count = try connection.run(statement)
        if let required, count > 0 {
          throw UpdateError.lostPartner(property: required, count: count)
        }
      }
    }
    try connection.run(plan.keyedUpdate)
    for link in plan.links {
      for statement in link.completions { try connection.run(statement) }
      guard let conflict = link.conflict else { continue }
      guard let row = try connection.rows(conflict).first else {
        StatementRecorder.current?.expectNone(conflict, "two rows would share a destination")
        continue
      }
      throw UpdateError.sharedPartner(
        property: link.property, entity: name(row[1]), key: row[0].integer ?? 0)
    }
    return changed
  }

  private func name(_ number: SQLiteValue) -> String {
    layout.entity(numbered: number.integer ?? 0)?.name ?? plan.entity
  }

  private func conflict(_ error: DatabaseError) -> UpdateError? {
    error.violated(among: plan.uniqueness, of: plan.table).map {
      .notUnique(entity: plan.entity, properties: $0.properties)
    }
  }
}

extension SQLiteValue {
  fileprivate var plainText: String {
    switch self {
    case .text(let text): text
    case .real(let number) where number.isInfinite: number < 0 ? "-infinity" : "infinity"
    case .null, .integer, .real, .blob: literal
    }
  }
}
