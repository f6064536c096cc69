package import SQLiteAccess
package import StoreCore
import StoreEngine
import PredicateSQL
import RecordFormats
import StoreLayout
import StoreModel

extension ObjectDescription {
  /// Reads the description of a row.
  ///
  /// - Parameters:
  ///   - name: the row's entity or one of its ancestors.
  ///   - key: the row's primary key.
  ///   - limit: the maximum number of listed rows per relationship.
  /// - Throws: `NoSuchRow`, `ModelLookupError`, `DatabaseError`
  package init(
    of name: String, _ key: Int64, first limit: Int, in context: RowContext,
    on connection: Connection
  ) throws {
    let reading = ObjectReading(context: context, connection: connection, limit: limit)
    let asked = try reading.place(of: name)
    let (entity, version) = try reading.row(key, of: asked)
    self.entity = entity
    self.key = key
    self.version = version
    let names = entity.attributes.keys.sorted()
    types = names.compactMap { entity.attributes[$0]?.type }
    (values, shape) = try reading.values(names, of: entity, key)
    relationships = try reading.relationships(of: entity, key)
    referrers = try reading.referrers(to: entity, key)
  }
}

private struct ObjectReading {
  let context: RowContext
  let connection: Connection
  let limit: Int

  private var layout: StoreLayout { context.layout }
  private var model: DataModel { layout.model }
  private typealias Links = ObjectDescription.Links

  func place(of name: String) throws -> EntityLayout {
    _ = try model.requireEntity(named: name)
    guard let place = layout.entity(named: name) else {
      throw ModelLookupError.unknownEntity(name, known: layout.entities.map(\.name))
    }
    return place
  }

  func row(_ key: Int64, of asked: EntityLayout) throws -> (EntityLayout, Int64) {
    let found = try connection.rows(
      """
      SELECT \(name: FixedColumn.entity), \(name: FixedColumn.version) FROM \(name: asked.table) \
      WHERE \(name: FixedColumn.primaryKey) = \(value: .integer(key))
      """
    ).first
    let number = found?.first?.integer
    // All rows of an unshared table belong to one entity.
    let own = asked.sharesTable ? number.flatMap { layout.entity(numbered: $0) } : asked
    if let found, let own, asked.subtree.contains(own.number), !own.isAbstract {
      return (own, found[1].integer ?? 0)
    }
    throw NoSuchRow(
      entity: asked.name, key: key, otherEntity: found == nil ? nil : own?.name,
      neighbors: try neighbors(of: key, in: asked))
  }

  private func neighbors(of key: Int64, in entity: EntityLayout) throws -> [Int64] {
    let column = SQL.name(FixedColumn.primaryKey)
    let isMember: SQL = "\(.name(FixedColumn.entity)) IN \(.list(entity.subtree))"
    let rows = try connection.rows(
      """
      SELECT (SELECT max(\(column)) FROM \(name: entity.table) \
      WHERE \(column) < \(value: .integer(key)) AND \(isMember)), \
      (SELECT min(\(column)) FROM \(name: entity.table) \
      WHERE \(column) > \(value: .integer(key)) AND \(isMember))
      """)
    return (rows.first ?? []).compactMap(\.integer)
  }

  func values(
    _ names: [String], of entity: EntityLayout, _ key: Int64
  ) throws -> (PackedRows, RowShape) {
    let attributes = names.compactMap { name in entity.attributes[name].map { (name, $0) } }
    let columns = attributes.map { SQL.name($0.1.column) }
    let query = CompiledQuery(
      sql: """
        SELECT \(columns.isEmpty ? "NULL" : columns.joined(", ")) FROM \(name: entity.table) \
        WHERE \(name: FixedColumn.primaryKey) = \(value: .integer(key))
        """,
      columns: attributes.enumerated().map { index, attribute in
        ResultColumn(
          name: attribute.0, source: .value(index, attribute.1.type),
          allowsExternalStorage: attribute.1.allowsExternalStorage)
      })
    let width = max(1, columns.count)
    let rows = PackedRows(width: width)
    var statement = try connection.prepare(query.sql)
    while try statement.step() { statement.copyRow(into: rows) }
    return (rows, context.shape(of: query.columns, width: width))
  }

  // MARK: Relationships

  func relationships(of entity: EntityLayout, _ key: Int64) throws -> [ObjectDescription.Links] {
    guard let declared = model.entity(named: entity.name) else { return [] }
    return try model.relationships(of: declared).compactMap { relationship in
      if let toOne = entity.toOne[relationship.name] {
        return try links(relationship, toOne, of: entity, key)
      }
      guard let toMany = entity.toMany[relationship.name] else { return nil }
      let members = MemberList(toMany, in: layout)
      let owner = SQL.value(.integer(key))
      return try links(
        relationship, of: entity.name, rows: members.rows(of: owner), order: members.order)
    }
  }

  private func links(
    _ relationship: RelationshipDescription, _ toOne: ToOneColumn, of entity: EntityLayout,
    _ key: Int64
  ) throws -> Links {
    var links = Links(relationship: relationship, owner: entity.name, count: 0, first: [])
    let row = try connection.rows(
      """
      SELECT \(name: toOne.column) FROM \(name: entity.table) \
      WHERE \(name: FixedColumn.primaryKey) = \(value: .integer(key))
      """
    ).first
    guard let target = row?.first?.integer, let place = layout.entity(named: toOne.destination)
    else { return links }
    let found = try connection.rows(
      """
      SELECT \(name: FixedColumn.entity) FROM \(name: place.table) \
      WHERE \(name: FixedColumn.primaryKey) = \(value: .integer(target))
      """
    ).first
    links.isDangling = found == nil
    links.count = 1
    links.first = [.init(entity: found?.first?.integer ?? place.number, key: target)]
    return links
  }

  /// - Parameter rows: `FROM … WHERE …` for the listed rows, whose alias is `m`.
  private func links(
    _ relationship: RelationshipDescription, of owner: String, rows: SQL, order: SQL
  ) throws -> Links {
    let alias = MemberList.alias
    let first = try connection.rows(
      """
      SELECT \(.name(alias, FixedColumn.entity)), \(.name(alias, FixedColumn.primaryKey)) \
      \(rows) ORDER BY \(order) LIMIT \(value: .integer(Int64(limit)))
      """)
    return Links(
      relationship: relationship, owner: owner,
      count: try connection.integer("SELECT count(*) \(rows)"),
      first: first.map { .init(entity: $0[0].integer ?? 0, key: $0[1].integer ?? 0) })
  }

  // MARK: Referrers

  /// Returns the relationships of other rows that refer to this row. Relationships with an inverse are skipped, because
  /// `relationships` contains their inverses.
  func referrers(to entity: EntityLayout, _ key: Int64) throws -> [ObjectDescription.Links] {
    var found: [Links] = []
    for owner in model.entities {
      guard let place = layout.entity(named: owner.name) else { continue }
      for relationship in owner.relationships where !relationship.isTransient {
        guard
          layout.entity(named: relationship.destination)?.subtree.contains(entity.number) == true,
          model.sharedInverse(of: relationship, declaredBy: owner) == nil,
          let rows = rows(with: relationship, of: place, leadingTo: entity, key)
        else { continue }
        let order = SQL.name(MemberList.alias, FixedColumn.primaryKey)
        let links = try links(relationship, of: owner.name, rows: rows, order: order)
        if links.count > 0 { found.append(links) }
      }
    }
    return found
  }

  /// Returns `FROM … WHERE …` for the rows with the alias `m` that refer to the row `key` through `relationship`.
  private func rows(
    with relationship: RelationshipDescription, of owner: EntityLayout,
    leadingTo entity: EntityLayout,
    _ key: Int64
  ) -> SQL? {
    let alias = MemberList.alias
    let primaryKey = SQL.name(alias, FixedColumn.primaryKey)
    let wanted = SQL.value(.integer(key))
    if let toOne = owner.toOne[relationship.name] {
      return "FROM \(name: owner.table) AS m WHERE \(.name(alias, toOne.column)) = \(wanted)"
    }
    switch owner.toMany[relationship.name] {
    // The referenced row itself contains the key of its only owner.
    case .column(let foreign)?:
      return """
        FROM \(name: owner.table) AS m WHERE \(primaryKey) = \
        (SELECT \(name: foreign.column) FROM \(name: foreign.table) \
        WHERE \(name: FixedColumn.primaryKey) = \(wanted))
        """
    case .joinTable(let join)?:
      return """
        FROM \(name: join.table) AS j JOIN \(name: owner.table) AS m \
        ON \(primaryKey) = \(.name("j", join.sourceColumn)) \
        WHERE \(.name("j", join.destinationColumn)) = \(wanted)
        """
    case nil: return nil
    }
  }
}
