package import SQLiteAccess
package import StoreLayout
package import StoreModel

/// Creates and removes links between given rows, for callers such as an import. In contrast to a request for links, the
/// model's rules aren't checked. The caller checks them after the changes.
package struct GivenLinks {
  private let relationship: LinkedRelationship
  private let layout: StoreLayout
  private let connection: Connection

  /// - Throws: `LinkError` for a relationship that the store doesn't have; `ModelLookupError` for an unknown entity.
  package init(
    _ name: String, of entity: String, in layout: StoreLayout, on connection: Connection
  ) throws {
    relationship = try LinkedRelationship(name, of: entity, in: layout)
    self.layout = layout
    self.connection = connection
  }

  package var isToMany: Bool { relationship.relationship.isToMany }

  /// Whether a destination can be linked to only one source.
  package var isExclusive: Bool { relationship.sidesWithOnePartner.contains(.destination) }

  /// A SELECT of the relationship's links in the store: the primary keys of the source (`s`) and the destination (`d`).
  package var present: SQL { relationship.present }

  /// The table with the positions of members, and its columns for the owner's key, the member's key and the position.
  /// Nil if the relationship is unordered.
  package var order: (table: String, owner: String, member: String, place: String)? {
    relationship.order.map { ($0.table, $0.owner, $0.member, $0.place) }
  }

  /// The columns that refer to the linked row and whose relationship is required in the model.
  package var required: [(isOfSources: Bool, table: String, column: String, property: String)] {
    relationship.columns.compactMap { column in
      guard column.isRequired, let property = column.property else { return nil }
      return (column.side == .source, column.table, column.column, property)
    }
  }

  /// SELECTs of the rows that `run` changes. They read temporary tables, which exist until the next request for links.
  package struct ChangedRows {
    /// For the sources and, if there is an inverse, the destinations: a SELECT of `Z_ENT` and `Z_PK` of the changed
    /// rows.
    package var relinked: [SQL]
    /// `Z_ENT` and `Z_PK` of all rows that are saved, including destinations of a to-many relationship without an
    /// inverse, whose column changes although they have no property for it.
    package var saved: SQL
    /// The primary keys (`s` and `d`) of the links that new links replace.
    package var ended: SQL
  }

  /// Creates or removes links. `Z_OPT` of the rows doesn't change, because the caller increments it once for all
  /// changes.
  ///
  /// - Parameters:
  ///   - pairs: a SELECT of the primary keys of sources (`s`) and destinations (`d`), and of a number `n`, by which new
  ///     members are sorted. Links to create that exist, links to remove that don't exist, and links of missing rows
  ///     are ignored.
  ///   - note: is called with the rows that will change, before the links change.
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
