import PredicateSQL
import SQLiteAccess
import StoreEngine
import StoreLayout
import StoreModel

/// The rows that an export with a predicate contains: matching rows and, after `addRequired`, the rows that these
/// require. They are kept in a temporary table.
struct ChosenRows {
  private let layout: StoreLayout
  private let connection: Connection

  /// - Parameter matching: rows of the entity and its subentities.
  /// - Throws: `DatabaseError`
  init(
    _ matching: MatchingRows, of entity: EntityLayout, in layout: StoreLayout,
    on connection: Connection
  ) throws(DatabaseError) {
    self.layout = layout
    self.connection = connection
    try connection.makeTemporaryTable(
      "export_row",
      """
      (root INTEGER, key INTEGER, number INTEGER, \
      comes_along INTEGER DEFAULT 0, PRIMARY KEY (root, key)) WITHOUT ROWID
      """)
    try connection.run(
      """
      INSERT INTO temp.export_row (root, key, number) \
      SELECT \(Self.root(of: entity, in: layout)), m.* FROM (\(matching.sql)) AS m
      """)
  }

  /// Adds the rows to which required relationships of the chosen rows lead, and repeats this for the added rows.
  func addRequired() throws(DatabaseError) {
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for (entity, relationship) in requiring {
        guard let rows = partners(of: entity, by: relationship),
          let destination = layout.entity(named: relationship.destination)
        else { continue }
        let alias = MemberList.alias
        let added = try connection.run(
          """
          INSERT OR IGNORE INTO temp.export_row SELECT \(Self.root(of: destination, in: layout)), \
          \(.name(alias, FixedColumn.primaryKey)), \(.name(alias, FixedColumn.entity)), 1 \(rows)
          """)
        if added > 0 { isGrowing = true }
      }
    }
  }

  private var requiring: [(EntityLayout, RelationshipDescription)] {
    layout.entities.filter { !$0.isAbstract }.flatMap { place in
      let entity = layout.model.entity(named: place.name)
      let all = entity.map { layout.model.relationships(of: $0) } ?? []
      return all.filter(\.isRequired).map { (place, $0) }
    }
  }

  /// Returns `FROM … WHERE …` of the rows, named `m`, to which a relationship of the chosen rows leads.
  private func partners(of entity: EntityLayout, by relationship: RelationshipDescription) -> SQL? {
    let owners: SQL = """
      SELECT key FROM temp.export_row WHERE root = \(Self.root(of: entity, in: layout)) \
      AND number = \(value: .integer(entity.number))
      """
    if let toMany = entity.toMany[relationship.name] {
      return MemberList(toMany, in: layout).rows(ofOwners: owners)
    }
    guard let toOne = entity.toOne[relationship.name],
      let destination = layout.entity(named: toOne.destination)
    else { return nil }
    let alias = MemberList.alias
    return """
      FROM \(name: destination.table) AS m WHERE \(.name(alias, FixedColumn.primaryKey)) IN \
      (SELECT \(name: toOne.column) FROM \(name: entity.table) \
      WHERE \(name: FixedColumn.primaryKey) IN (\(owners)))
      """
  }

  // MARK: For the statements of the export

  static func root(of entity: EntityLayout, in layout: StoreLayout) -> SQL {
    .value(.integer(layout.entity(named: entity.root)?.number ?? entity.number))
  }

  /// Returns a SELECT of the primary keys of the chosen rows with the same root entity as `entity`.
  static func keys(in entity: EntityLayout, of layout: StoreLayout) -> SQL {
    "SELECT key FROM temp.export_row WHERE root = \(root(of: entity, in: layout))"
  }

  // MARK: Summary

  /// Returns the entity numbers of the chosen rows.
  func numbers() throws(DatabaseError) -> Set<Int64> {
    let rows = try connection.rows("SELECT DISTINCT number FROM temp.export_row")
    return Set(rows.compactMap { $0[0].integer })
  }

  /// Returns, by entity, how many required rows the predicate doesn't match.
  func required() throws(DatabaseError) -> [ExportSelection.Count] {
    try connection.rows(
      "SELECT number, count(*) FROM temp.export_row WHERE comes_along GROUP BY 1 ORDER BY 1"
    ).compactMap { row in
      row[0].integer.flatMap(layout.entity(numbered:))
        .map { .init(name: $0.name, count: row[1].integer ?? 0, isRequired: true) }
    }
  }

  /// Returns, by relationship, how many distinct rows aren't exported although exported rows refer to them.
  func leftOut(of entities: [EntityLayout]) throws(DatabaseError) -> [ExportSelection.Count] {
    var found: [ExportSelection.Count] = []
    for place in entities {
      guard let entity = layout.model.entity(named: place.name) else { continue }
      for relationship in layout.model.relationships(of: entity) {
        guard let rows = partners(of: place, by: relationship),
          let destination = layout.entity(named: relationship.destination)
        else { continue }
        let key = SQL.name(MemberList.alias, FixedColumn.primaryKey)
        let isLeftOut: SQL = "\(key) NOT IN (\(Self.keys(in: destination, of: layout)))"
        let count = try connection.integer("SELECT count(DISTINCT \(key)) \(rows) AND \(isLeftOut)")
        guard count > 0 else { continue }
        found.append(
          .init(
            name: "\(place.name).\(relationship.name)", count: count,
            isRequired: relationship.isRequired))
      }
    }
    return found
  }
}

extension RelationshipDescription {
  fileprivate var isRequired: Bool { !isTransient && (!isOptional || (minimumCount ?? 0) > 0) }
}

/// The effects of relationships on an export with a predicate.
package struct ExportSelection: Hashable, Sendable {
  package struct Count: Hashable, Sendable {
    /// The name of an entity, or `Entity.relationship`.
    package var name: String
    package var count: Int64
    package var isRequired: Bool
  }

  /// The numbers of rows that are exported only because required relationships lead to them, by entity.
  package var required: [Count]
  /// The numbers of distinct rows that aren't exported although exported rows refer to them, by relationship.
  package var leftOut: [Count]
}
