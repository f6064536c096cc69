package import PredicateSQL
package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout
package import StoreModel

extension Store {
  /// Makes or ends links in one transaction.
  ///
  /// - Parameters:
  ///   - expected: how many links have to be made, or ended; nil where any number will do.
  ///   - then: runs in the transaction, when all is done.
  /// - Throws: `LinkError`, `UpdateError`, `MemberCountError` for what the model does not allow; `DatabaseError`.
  package func link(
    by plan: LinkPlan, in layout: StoreLayout, as origin: HistoryOrigin = .storetool,
    expected: Int? = nil, cancellation: Cancellation = .ofProcess,
    then: (Connection) throws -> Void = { _ in }
  ) throws -> LinkResult {
    try transact(as: origin, cancellation: cancellation) { transaction in
      try transaction.link(by: plan, in: layout, expected: expected, then: then)
    }.result
  }

  /// What `link` would do now. Nothing is done: only temporary tables are written.
  ///
  /// - Throws: as `link`, but that it does not find values that would not be unique.
  package func dryRun(
    of plan: LinkPlan, in layout: StoreLayout, cancellation: Cancellation = .ofProcess
  ) throws -> LinkResult {
    try rolledBack(cancellation: cancellation) { connection in
      try LinkRun(plan: plan, layout: layout, connection: connection).find()
    }
  }

  /// The object IDs of the rows on both sides that the last links have changed.
  package static let linkedKeys = CompiledQuery(
    objectIDs: "SELECT DISTINCT k, e FROM temp.\(name: LinkPlan.touched) ORDER BY e, k")
}

extension OpenTransaction {
  /// Makes or ends links.
  ///
  /// - Throws: as `Store.link`; what was written must then be taken back.
  package func link(
    by plan: LinkPlan, in layout: StoreLayout, expected: Int? = nil,
    then: (Connection) throws -> Void
  ) throws -> LinkResult {
    let run = LinkRun(plan: plan, layout: layout, connection: connection)
    let outcome = try run.find()
    try plan.refuse(outcome, unless: expected)
    if outcome.changed > 0 { try run.change(as: session) }
    try then(connection)
    return outcome
  }
}

extension LinkPlan {
  /// - Throws: `UnexpectedCount`
  package func refuse(_ outcome: LinkResult, unless expected: Int?) throws(UnexpectedCount) {
    try UnexpectedCount.refuse(
      kind == .link ? .madeLinks : .endedLinks, of: outcome.changed, unless: expected)
  }
}
