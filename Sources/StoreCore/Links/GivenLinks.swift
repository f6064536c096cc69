package import SQLiteAccess
package import StoreLayout
package import StoreModel

/// Links between rows that somebody else has found, as an import does: made or ended as those of a request are, but
/// without judging the model's rules, which the caller does when all is done.
package struct GivenLinks {
  private let relationship: LinkedRelationship
  private let layout: StoreLayout
  private let connection: Connection

  /// - Throws: `LinkError` for a relationship that the store does not have.
  package init(
    _ name: String, of entity: String, in layout: StoreLayout, on connection: Connection
  ) throws {
    relationship = try LinkedRelationship(name, of: entity, in: layout)
    self.layout = layout
    self.connection = connection
  }

  package var isToMany: Bool { relationship.relationship.isToMany }

  /// A destination has one partner at most, so that two owners can't both have it.
  package var isExclusive: Bool { relationship.sidesWithOnePartner.contains(.destination) }

  /// A SELECT of all links of the store, as `s` and `d`.
  package var present: SQL { relationship.present }

  /// Where the members of the relationship have their places; nil without an order.
  package var order: (table: String, owner: String, member: String, place: String)? {
    relationship.order.map { ($0.table, $0.owner, $0.member, $0.place) }
  }

  /// Columns of rows that need a partner: those whose rows are the sources, or the destinations.
  package var required: [(isOfSources: Bool, table: String, column: String, property: String)] {
    relationship.columns.compactMap { column in
      guard column.isRequired, let property = column.property else { return nil }
      return (column.side == .source, column.table, column.column, property)
    }
  }

  /// The rows that one call changes, while their temporary tables exist. Each is a SELECT.
  package struct ChangedRows {
    /// `Z_ENT` and `Z_PK` of rows of which a relationship changes.
    package var relinked: [SQL]
    /// `Z_ENT` and `Z_PK` of all rows that are saved again, including rows that only hold a hidden key.
    package var saved: SQL
    /// `s` and `d` of links that gave way to new ones.
    package var ended: SQL
  }

  /// Makes or ends links. The versions of the rows stay: the caller raises them once, whatever else changes.
  ///
  /// - Parameters:
  ///   - pairs: a SELECT of `s`, `d`, and `n` for the order of new members. Pairs that are as they shall be and pairs of
  ///     rows that don't exist are left out.
  ///   - note: takes the rows that change.
  package func run(
    _ kind: BatchLink.Kind, _ pairs: SQL, _ changes: ChangeRecorder,
    note: (ChangedRows) throws -> Void
  ) throws {
    let plan = LinkPlan(
      kind: kind, relationship: relationship, position: nil, rows: .given(pairs), uniqueness: [],
      countRules: [])
    for statement in LinkPlan.clearing + plan.finding { try connection.run(statement) }
    for (rows, property) in plan.recorded {
      try changes.recordUpdates(of: rows, properties: [property])
    }
    try note(
      ChangedRows(
        relinked: plan.recorded.map(\.rows), saved: "SELECT e, k FROM \(plan.touched)",
        ended: "SELECT s, d FROM \(plan.ended)"))
    for statement in plan.linkChanges { try connection.run(statement) }
  }
}
