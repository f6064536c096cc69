import PredicateSQL
import SQLiteAccess
import StoreDiagnostics
package import StoreLayout
import StoreModel

/// The statements that delete one row of an entity, for any key. They don't use temporary tables.
///
/// They have the same effect as the `DeletePlan` of the request. If the deletion reaches more rows, is refused, or must
/// be recorded in the history, `run` doesn't change anything, and the caller uses the plan instead.
package struct RowDeletion: Sendable {
  private struct Link: Sendable {
    var name: String
    var dangles: Bool
    var isRequired: Bool
    var count: RowStatement
    /// The statements that clear a reference, without and with the version of its row.
    var clearing: (plain: RowStatement, raising: RowStatement)?
  }

  /// The remaining rows of a table that refer to the row or lose it as a member.
  private struct Remaining: Sendable {
    var references: [Int]
    var memberships: [Int]
    var hasLosses: Bool
    /// Increments the versions of all these rows.
    var raising: RowStatement
  }

  private let find: RowStatement
  /// Queries with a row if the deletion reaches other rows, or if they prevent it.
  private let obstacles: [RowStatement]
  private let references: [Link]
  private let memberships: [Link]
  private let remaining: [Remaining]
  private let joins: [RowStatement]
  private let deletion: RowStatement

  /// Nil if the rows can have external files.
  ///
  /// - Throws: the errors of `BatchDelete.plan`
  package init?(of entity: String, in layout: StoreLayout, storeUUID: String) throws {
    let request = BatchDelete(entity: entity, predicate: RowStatement.predicate(for: entity))
    let row = DeletedRows.Row(key: RowStatement.key, entity: RowStatement.entity)
    let plan = try request.plan(in: layout, storeUUID: storeUUID, row: row)
    guard let selection = plan.selection, plan.externalColumns.isEmpty, plan.deleted.count == 1
    else { return nil }
    let deleted = plan.deleted[0]
    find = RowStatement(selection)
    obstacles =
      plan.cascades.map { RowStatement("\($0.survivors(outside: nil)) LIMIT 1") }
      + plan.denials.map {
        RowStatement("\($0.survivors(outside: plan.deleted($0.destinationTable))) LIMIT 1")
      }
      + plan.shortages.map { RowStatement("SELECT 1 FROM (\($0.owners)) LIMIT 1") }
    references = plan.references.map { reference in
      let isCleared = reference.fate == .cleared
      return Link(
        name: reference.name, dangles: !isCleared, isRequired: isCleared && reference.isRequired,
        count: Self.count(of: reference.table, where: reference.condition),
        clearing: isCleared
          ? (
            RowStatement(reference.clearing(raisesVersion: false)),
            RowStatement(reference.clearing(raisesVersion: true))
          ) : nil)
    }
    memberships = plan.memberships.map { membership in
      Link(
        name: membership.name, dangles: plan.joins.isEmpty, isRequired: false,
        count: Self.count(of: membership.join.table, where: membership.condition))
    }
    remaining = Self.remaining(plan)
    joins = plan.joins.flatMap(\.statements).map(RowStatement.init)
    deletion = RowStatement(deleted.deletion())
  }

  /// Returns a query for the number of links, which stops counting when there are too many of them for `run`.
  private static func count(of table: String, where condition: SQL) -> RowStatement {
    let limit = SQL.number(Int64(DeletionStrategy.few))
    return RowStatement(
      "SELECT count(*) FROM (SELECT 1 FROM \(name: table) WHERE \(condition) LIMIT \(limit))")
  }

  private static func remaining(_ plan: DeletePlan) -> [Remaining] {
    let cleared = plan.references.indices.filter { plan.references[$0].fate == .cleared }
    let memberships = plan.joins.isEmpty ? [] : Array(plan.memberships.indices)
    let tables =
      cleared.map { plan.references[$0].table } + memberships.map { plan.memberships[$0].table }
      + plan.losses.map(\.table)
    return Set(tables).sorted().map { table in
      let own = cleared.filter { plan.references[$0].table == table }
      let ends = memberships.filter { plan.memberships[$0].table == table }
      let losses = plan.losses.filter { $0.table == table }
      let rows =
        own.map { index -> SQL in
          """
          SELECT \(name: FixedColumn.primaryKey) FROM \(name: table) \
          WHERE \(plan.references[index].condition)
          """
        } + ends.map { plan.memberships[$0].owners } + losses.map(\.owners)
      return Remaining(
        references: own, memberships: ends, hasLosses: !losses.isEmpty,
        raising: RowStatement(
          """
          UPDATE \(name: table) SET \(RowVersions.raising) \
          WHERE \(name: FixedColumn.primaryKey) IN (\(rows.joined(" UNION ALL ")))
          """))
    }
  }

  /// Deletes a row.
  ///
  /// - Returns: the findings, which are empty if the row doesn't exist, or nil if the request must be run as a batch
  ///   delete.
  /// - Throws: `DatabaseError`, `Cancelled`
  package func run(
    key: Int64, in transaction: OpenTransaction, _ layout: StoreLayout
  ) throws -> DeletionFindings? {
    let connection = transaction.connection
    guard StatementRecorder.current == nil,
      try !ChangeRecorder(in: layout, on: connection, session: transaction.session).isOn
    else { return nil }
    try transaction.cancellation.check()
    return try run(key: key, on: connection, layout)
  }

  /// Deletes a row of a store without history.
  func run(
    key: Int64, on connection: Connection, _ layout: StoreLayout
  ) throws(DatabaseError) -> DeletionFindings? {
    var findings = DeletionFindings()
    guard let found = try connection.keptRow(find.bound(to: key)) else { return findings }
    guard let entity = found[1].integer else { return nil }
    for obstacle in obstacles {
      guard try connection.keptRow(obstacle.bound(to: key, entity)) == nil else { return nil }
    }
    var counts: [[Int]] = []
    for links in [references, memberships] {
      var found: [Int] = []
      for link in links {
        let count = Int(try connection.keptRow(link.count.bound(to: key, entity))?[0].integer ?? 0)
        guard count < DeletionStrategy.few, count == 0 || !link.isRequired else { return nil }
        findings.note(count, of: link.name, dangles: link.dangles)
        found.append(count)
      }
      counts.append(found)
    }
    for rows in remaining {
      let cleared = rows.references.filter { counts[0][$0] > 0 }.compactMap {
        references[$0].clearing
      }
      let hasOwners = rows.hasLosses || rows.memberships.contains { counts[1][$0] > 0 }
      if cleared.count == 1, !hasOwners {
        try connection.runKept(cleared[0].raising.bound(to: key, entity))
      } else if !cleared.isEmpty || hasOwners {
        try connection.runKept(rows.raising.bound(to: key, entity))
        for statement in cleared { try connection.runKept(statement.plain.bound(to: key, entity)) }
      }
    }
    for join in joins { try connection.runKept(join.bound(to: key, entity)) }
    let count = try connection.runKept(deletion.bound(to: key, entity))
    findings.deleted[layout.name(ofEntity: entity)] = count
    return findings
  }
}
