package import SQLiteAccess
package import StoreLayout
package import StoreModel

/// Links that the caller has found, as an import does. They are created or removed like the links of a request, but the
/// caller checks the model's rules afterwards.
package struct GivenLinks {
  private let relationship: LinkedRelationship
  private let layout: StoreLayout
  private let connection: Connection

  /// - Throws: `LinkError` for a relationship that the store doesn't have.
  package init(
    _ name: String, of entity: String, in layout: StoreLayout, on connection: Connection
  ) throws {
    relationship = try LinkedRelationship(name, of: entity, in: layout)
    self.layout = layout
    self.connection = connection
  }

  package var isToMany: Bool { relationship.relationship.isToMany }

  /// Whether a destination has at most one partner, so that two owners can't both have it.
  package var isExclusive: Bool { relationship.sidesWithOnePartner.contains(.destination) }

  /// A SELECT of all links in the store, as `s` and `d`.
  package var present: SQL { relationship.present }

  /// The columns with the positions of the members, or nil if they are unordered.
  package var order: (table: String, owner: String, member: String, place: String)? {
    relationship.order.map { ($0.table, $0.owner, $0.member, $0.place) }
  }

  /// The columns of rows that require a partner, of the sources or the destinations.
  package var required: [(isOfSources: Bool, table: String, column: String, property: String)] {
    relationship.columns.compactMap { column in
      guard column.isRequired, let property = column.property else { return nil }
      return (column.side == .source, column.table, column.column, property)
    }
  }

  /// The rows that a call changes, each as a SELECT, while their temporary tables exist.
  package struct ChangedRows {
    /// `Z_ENT` and `Z_PK` of rows with a changed relationship.
    package var relinked: [SQL]
    /// `Z_ENT` and `Z_PK` of all rows that are saved, including rows in which only a hidden key changes.
    package var saved: SQL
    /// `s` and `d` of links that new links replaced.
    package var ended: SQL
  }

  /// Creates or removes links. The versions of the rows don't change, because the caller increments them once for all
  /// changes.
  ///
  /// - Parameters:
  ///   - pairs: a SELECT of `s`, `d`, and `n` for the order of new members. Links that already have the requested
  ///     state, and links of missing rows, are ignored.
  ///   - note: receives the changed rows.
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
