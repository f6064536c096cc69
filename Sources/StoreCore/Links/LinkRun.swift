import SQLiteAccess
import StoreLayout
import StoreModel

/// Runs the plan of a batch of links in a transaction.
struct LinkRun {
  let plan: LinkPlan
  let layout: StoreLayout
  let connection: Connection

  /// Finds and checks the changes in temporary tables, without changing the store.
  ///
  /// - Throws: `LinkError`, `UpdateError`, `MemberCountError` for changes that the model doesn't allow;
  ///   `DatabaseError`.
  func find() throws -> LinkResult {
    try run(LinkPlan.clearing)
    try run(plan.matching)
    var outcome = LinkResult(
      matchedSources: try count(.source), matchedDestinations: try count(.destination))
    if plan.kind == .link { try requireOnePartner(outcome) }
    try run(plan.finding)
    let counts = try connection.rows(plan.census).first?.map { Int($0.integer ?? 0) } ?? []
    guard counts.count == 6 else { return outcome }
    outcome.changed = counts[0]
    (outcome.changedSources, outcome.changedDestinations) = (counts[1], counts[2])
    (outcome.replaced, outcome.loops, outcome.newPairs) = (counts[3], counts[4], counts[5])
    try requirePosition()
    for loss in plan.losses {
      let count = try connection.integer(loss.count)
      guard count == 0 else {
        throw UpdateError.lostPartner(property: loss.property, count: Int(count))
      }
    }
    for rule in plan.countRules { try require(rule) }
    return outcome
  }

  /// Changes the store according to the temporary tables.
  ///
  /// - Throws: `UpdateError` for violated uniqueness constraints; `DatabaseError`. The transaction must then be rolled
  ///   back.
  func change(as session: HistorySession) throws {
    let changes = try ChangeRecorder(in: layout, on: connection, session: session)
    for (rows, property) in plan.recorded {
      try changes.recordUpdates(of: rows, properties: [property])
    }
    do {
      try run(plan.changes)
    } catch {
      for side in plan.uniqueness {
        guard let violated = error.violated(among: side.constraints, of: side.table) else {
          continue
        }
        throw UpdateError.notUnique(entity: side.entity, properties: violated.properties)
      }
      throw error
    }
    try changes.finish()
  }

  private func run(_ statements: [SQL]) throws(DatabaseError) {
    for statement in statements { try connection.run(statement) }
  }

  private func count(_ side: LinkSide) throws(DatabaseError) -> Int {
    Int(try connection.integer("SELECT count(*) FROM \(LinkPlan.temporary(side.table))"))
  }

  private func requireOnePartner(_ found: LinkResult) throws(LinkError) {
    for side in plan.relationship.sidesWithOnePartner {
      let (own, others) =
        side == .source
        ? (found.matchedSources, found.matchedDestinations)
        : (found.matchedDestinations, found.matchedSources)
      guard own == 0 || others < 2 else {
        throw .severalPartners(
          relationship: "\(plan.entity).\(plan.relationship.relationship.name)",
          entity: plan.relationship.place(of: side).name,
          partner: plan.relationship.place(of: side.opposite).name, count: others)
      }
    }
  }

  private func requirePosition() throws {
    guard plan.kind == .link, let position = plan.position, let order = plan.relationship.order,
      let misplaced = LinkPlaces(order: order, plan: plan).misplaced,
      let row = try connection.rows(misplaced).first, let key = row[0].integer,
      let entity = row[1].integer, let count = row[2].integer
    else { return }
    throw LinkError.position(
      position, relationship: plan.relationship.relationship.name,
      entity: layout.entity(numbered: entity)?.name ?? plan.entity,
      key: key, count: Int(count))
  }

  private func require(_ counted: LinkCountRule) throws {
    guard let row = try connection.rows(counted.violation(of: plan)).first,
      let error = MemberCountError(row, by: counted.rule, in: layout)
    else { return }
    throw error
  }
}
