import PredicateSQL
package import SQLiteAccess
package import StoreLayout
package import StoreModel
package import StorePredicate

/// The SQL of a request that creates or removes links.
///
/// All changes are first collected in temporary tables: matching rows, their links, replaced links, and changed rows. A
/// dry run therefore checks the same changes as the request, and the statements that change the store use the same
/// tables. `explain` prints all statements.
package struct LinkPlan: Hashable, Sendable {
  package let kind: BatchLink.Kind
  let relationship: LinkedRelationship
  let position: Int?
  let rows: Rows
  let uniqueness: [Side]
  let countRules: [LinkCountRule]

  /// The rows to link or unlink.
  enum Rows: Hashable, Sendable {
    /// Each of the sources with each of the destinations. Both are SELECTs of `Z_PK` and `Z_ENT`. New members are
    /// ordered like the SELECT of the destinations.
    case matching(sources: SQL, destinations: SQL)
    /// A SELECT of the primary keys of sources (`s`) and destinations (`d`), and of a number `n`, by which new members
    /// are sorted.
    case given(SQL)
  }

  /// The uniqueness constraints of an entity whose table has a column of the relationship.
  struct Side: Hashable, Sendable {
    var entity: String
    var table: String
    var constraints: [InsertPlan.UniquenessConstraint]
  }

  package var entity: String { relationship.source.name }
  package var destination: String { relationship.destination.name }
  package var isToMany: Bool { relationship.relationship.isToMany }

  // MARK: Tables

  /// The links to create or remove: the primary keys and entity numbers of the source and the destination, and `n`, by
  /// which new members are sorted. `n` is NULL for a reverse link, which is added if the relationship is its own
  /// inverse.
  static let pairs = "storetool_link"
  /// The links that new links replace.
  static let ended = "storetool_link_ended"
  /// The changed rows of both sides.
  static let touched = "storetool_link_touched"
  /// For each owner, the position before its new members and the distance between their positions (`LinkPlaces`).
  static let gaps = "storetool_link_gap"

  static func temporary(_ table: String) -> SQL { .name("temp", table) }

  var pairs: SQL { Self.temporary(Self.pairs) }
  var ended: SQL { Self.temporary(Self.ended) }
  var touched: SQL { Self.temporary(Self.touched) }

  package static let clearing: [SQL] = [
    LinkSide.source.table, LinkSide.destination.table, pairs, ended, touched, gaps,
  ].map { "DROP TABLE IF EXISTS \(temporary($0))" }

  // MARK: Finding

  /// The SELECTs of the matching rows of both sides, each with the name of its entity.
  package var searches: [(entity: String, rows: SQL)] {
    guard case .matching(let sources, let destinations) = rows else { return [] }
    return [(entity, sources), (destination, destinations)]
  }

  /// The statements that collect the matching rows of both sides in temporary tables.
  package var matching: [SQL] {
    guard case .matching(let sources, let destinations) = rows else { return [] }
    let columns: SQL = "(n INTEGER PRIMARY KEY, k INTEGER UNIQUE, e INTEGER)"
    return [(LinkSide.source, sources), (.destination, destinations)].flatMap { side, rows in
      [
        "CREATE TEMP TABLE \(name: side.table) \(columns)",
        "INSERT INTO \(Self.temporary(side.table)) (k, e) \(rows)",
      ]
    }
  }

  /// The statements that collect the links, the replaced links, and the changed rows in temporary tables.
  package var finding: [SQL] {
    var statements: [SQL] = [
      """
      CREATE TEMP TABLE \(name: Self.pairs) (s INTEGER, se INTEGER, d INTEGER, de INTEGER, \
      n INTEGER, PRIMARY KEY (s, d)) WITHOUT ROWID
      """,
      kind == .link ? pairs(where: "NOT (\(isLinked))") : presentPairs,
    ]
    if relationship.isOwnInverse {
      statements.append("INSERT OR IGNORE INTO \(pairs) SELECT d, de, s, se, NULL FROM \(pairs)")
    }
    statements.append(
      """
      CREATE TEMP TABLE \(name: Self.ended) (s INTEGER, d INTEGER, PRIMARY KEY (s, d)) \
      WITHOUT ROWID
      """)
    if kind == .link { statements += relationship.columns.flatMap(replacedLinks) }
    statements.append(
      """
      CREATE TEMP TABLE \(name: Self.touched) \
      (side INTEGER, k INTEGER, e INTEGER, PRIMARY KEY (side, k)) WITHOUT ROWID
      """)
    for side in [LinkSide.source, .destination] where relationship.isChanged(side) {
      statements.append(
        """
        INSERT INTO \(touched) SELECT \(side.number), \(name: FixedColumn.primaryKey), \
        \(name: FixedColumn.entity) FROM \(name: relationship.place(of: side).table) \
        WHERE \(name: FixedColumn.primaryKey) IN \
        (SELECT \(side.key) FROM \(pairs) UNION SELECT \(side.key) FROM \(ended))
        """)
    }
    return statements
  }

  private var sourceRows: SQL { "\(Self.temporary(LinkSide.source.table)) AS s" }
  private var destinationRows: SQL { "\(Self.temporary(LinkSide.destination.table)) AS d" }

  /// The FROM clause of all possible links, in which `s` is the source and `d` the destination, each with the columns
  /// `k` (primary key) and `e` (entity number), and the expression by which new members are sorted.
  private var candidates: (pairs: SQL, order: SQL) {
    switch rows {
    case .matching: return ("\(sourceRows) CROSS JOIN \(destinationRows)", "d.n")
    case .given(let pairs):
      let sides = [LinkSide.source, .destination].map { side -> SQL in
        """
        JOIN (SELECT \(name: FixedColumn.primaryKey) AS k, \(name: FixedColumn.entity) AS e \
        FROM \(name: relationship.place(of: side).table)) AS \(side.key) ON \(side.key).k = g.\(side.key)
        """
      }
      return ("(\(pairs)) AS g \(sides.joined(" "))", "coalesce(g.n, 0)")
    }
  }

  private func pairs(where condition: SQL) -> SQL {
    let (candidates, order) = candidates
    return """
      INSERT OR IGNORE INTO \(pairs) SELECT s.k, s.e, d.k, d.e, \(order) FROM \(candidates) \
      WHERE \(condition)
      """
  }

  /// The condition that a candidate is already linked. In a one-to-one relationship, both rows must refer to each
  /// other.
  private var isLinked: SQL {
    switch relationship.storage {
    case .columns(let columns):
      return columns.map { column -> SQL in
        """
        EXISTS (SELECT 1 FROM \(name: column.table) AS t \
        WHERE t.\(name: FixedColumn.primaryKey) = \(column.side.key).k \
        AND t.\(name: column.column) = \(column.side.opposite.key).k)
        """
      }.joined(" AND ")
    case .joinTable(let join, _):
      return """
        EXISTS (SELECT 1 FROM \(name: join.table) AS t \
        WHERE t.\(name: join.sourceColumn) = s.k AND t.\(name: join.destinationColumn) = d.k)
        """
    }
  }

  /// The statement that collects the existing links between matching rows.
  private var presentPairs: SQL {
    if case .given = rows { return pairs(where: isLinked) }
    return """
      INSERT OR IGNORE INTO \(pairs) SELECT s.k, s.e, d.k, d.e, d.n \
      FROM (\(relationship.present)) AS t \
      JOIN \(sourceRows) ON s.k = t.s JOIN \(destinationRows) ON d.k = t.d
      """
  }

  /// Returns the statements that collect the links that new links replace: a row with the column can refer to only one
  /// partner and, in a one-to-one relationship, only one row can refer to a partner.
  private func replacedLinks(_ column: LinkedRelationship.Column) -> [SQL] {
    let (own, other) = (column.side.key, column.side.opposite.key)
    let adding: SQL = """
      INSERT OR IGNORE INTO \(ended) (\(own), \(other)) \
      SELECT t.\(name: FixedColumn.primaryKey), t.\(name: column.column) \
      FROM \(pairs) AS p JOIN \(name: column.table) AS t
      """
    let former: SQL = """
      \(adding) ON t.\(name: FixedColumn.primaryKey) = p.\(own) \
      WHERE t.\(name: column.column) <> p.\(other)
      """
    guard relationship.isOneToOne else { return [former] }
    return [
      former,
      """
      \(adding) ON t.\(name: column.column) = p.\(other) \
      WHERE t.\(name: FixedColumn.primaryKey) <> p.\(own)
      """,
    ]
  }
}

/// The parsed texts of the predicates and the sort of a request for links. A property is nil if its part of the request
/// wasn't parsed from text.
package struct LinkTexts: Sendable {
  package var sources: PredicateText?
  package var destinations: PredicateText?
  package var sort: PredicateText?

  package init(
    sources: PredicateText? = nil, destinations: PredicateText? = nil, sort: PredicateText? = nil
  ) {
    self.sources = sources
    self.destinations = destinations
    self.sort = sort
  }
}

extension BatchLink {
  /// Returns the plan for a store with this layout, without reading the store.
  ///
  /// - Parameters:
  ///   - storeUUID: the UUID of the store. Object IDs of other stores don't match.
  ///   - texts: the parsed texts of the predicates and the sort, in which errors mark the location.
  /// - Throws: `LinkError`, `ModelLookupError`, `CheckErrors`
  package func plan(
    in layout: StoreLayout, storeUUID: String?, texts: LinkTexts = LinkTexts()
  ) throws -> LinkPlan {
    let linked = try LinkedRelationship(relationship, of: entity, in: layout)
    if position != nil || !sort.isEmpty, !linked.relationship.isOrdered {
      throw LinkError.notOrdered(relationship, entity: entity)
    }
    let sourceRows = try StoreFetchRequest(entity: linked.source.name, predicate: sources)
      .matchingRows(
        in: layout, storeUUID: storeUUID, texts: RequestTexts(predicate: texts.sources))
    let destinationRows = try StoreFetchRequest(
      entity: linked.destination.name, predicate: destinations, sort: sort
    ).matchingRows(
      in: layout, storeUUID: storeUUID,
      texts: RequestTexts(predicate: texts.destinations, sort: texts.sort))
    return LinkPlan(
      kind: kind, relationship: linked, position: position,
      rows: .matching(sources: sourceRows.sql, destinations: destinationRows.sql),
      uniqueness: linked.columns.compactMap { linked.uniqueness(of: $0.side, in: layout) },
      countRules: linked.countRules(in: layout))
  }
}

extension LinkedRelationship {
  fileprivate func uniqueness(of side: LinkSide, in layout: StoreLayout) -> LinkPlan.Side? {
    let place = place(of: side)
    guard let entity = layout.model.entity(named: place.name) else { return nil }
    let builder = InsertPlanBuilder(entity: entity, place: place, layout: layout)
    return .init(entity: entity.name, table: place.table, constraints: builder.uniqueness)
  }
}
