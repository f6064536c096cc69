package import PredicateSQL
package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout
package import StoreModel

extension Store {
  /// Creates or removes links in one transaction.
  ///
  /// - Parameters:
  ///   - expected: the expected number of links, or nil for any number.
  ///   - then: is called in the transaction after all changes.
  /// - Throws: `LinkError`, `UpdateError`, `MemberCountError` for changes that the model doesn't allow;
  ///   `UnexpectedCount`, `DatabaseError`; an error of `then`.
  package func link(
    by plan: LinkPlan, in layout: StoreLayout, as origin: HistoryOrigin = .storetool,
    expected: Int? = nil, cancellation: Cancellation = .ofProcess,
    then: (Connection) throws -> Void = { _ in }
  ) throws -> LinkResult {
    try transact(as: origin, cancellation: cancellation) { transaction in
      try transaction.link(by: plan, in: layout, expected: expected, then: then)
    }.result
  }

  /// Returns the result that `link` would have now, without changing the store. It only writes temporary tables.
  ///
  /// - Throws: the errors of `link`, except for violated uniqueness constraints.
  package func dryRun(
    of plan: LinkPlan, in layout: StoreLayout, cancellation: Cancellation = .ofProcess
  ) throws -> LinkResult {
    try rolledBack(cancellation: cancellation) { connection in
      try LinkRun(plan: plan, layout: layout, connection: connection).find()
    }
  }

  /// A query for the object IDs of the rows on both sides whose links the last request changed.
  package static let linkedKeys = CompiledQuery(
    objectIDs: "SELECT DISTINCT k, e FROM temp.\(name: LinkPlan.touched) ORDER BY e, k")
}

extension OpenTransaction {
  /// Creates or removes links.
  ///
  /// - Throws: `LinkError`, `UpdateError`, `MemberCountError`, `UnexpectedCount`, `DatabaseError`; an error of `then`.
  ///   The changes must then be rolled back.
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
  /// Throws an error if the number of changed links differs from `expected`.
  ///
  /// - Throws: `UnexpectedCount`
  package func refuse(_ outcome: LinkResult, unless expected: Int?) throws(UnexpectedCount) {
    try UnexpectedCount.refuse(
      kind == .link ? .madeLinks : .endedLinks, of: outcome.changed, unless: expected)
  }
}
