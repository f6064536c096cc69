import StoreLayout
package import SQLiteAccess
import StoreModel
import StorePredicate

/// The FROM clauses of a statement while it is compiled: its tables and their aliases.
///
/// A statement is a stack of scopes: the main SELECT, and a sub-select for each to-many relationship that is being
/// searched. `open` adds a scope, and `close` removes the last one and returns its SQL. The table of a to-one
/// relationship is only joined if one of its columns is used, because the row itself contains the destination's key.
package struct SQLContext {
  /// One SELECT.
  struct Scope {
    /// The FROM clause, such as `ZITEM t0 LEFT JOIN ZLIST t1 ON …`.
    var from: SQL
    /// The aliases of the tables that have been joined so far.
    var joined: [Join: String] = [:]
    /// All aliases in `from`.
    var aliases: Set<String>
    /// The condition that connects the rows of a sub-select with an outer row.
    var link: Link?
    var conditions: [SQL] = []
    /// The SQL by which the members of a sub-select are ordered; empty if they aren't ordered.
    var order: [SQL] = []
  }

  /// The identity of a joined row. The table is a part of it, because constant objects of two tables can have the same
  /// key.
  struct Join: Hashable {
    var table: String
    var key: SQL
  }

  /// The condition `inner = outer`, such as `t1.ZLIST = t0.Z_PK`.
  struct Link {
    var inner: SQL
    var outer: SQL
    /// Whether `outer` is the primary key of the outer row, which is never NULL.
    var isOfKey: Bool
  }

  let layout: StoreLayout
  var scopes: [Scope] = []
  private(set) var aliasCount = 0

  /// Opens the main SELECT over an entity's table.
  mutating func open(_ entity: EntityLayout) -> RowReference {
    let alias = nextAlias()
    scopes.append(Scope(from: Self.table(entity.table, alias), aliases: [alias]))
    return self.row(of: entity, at: alias)
  }

  /// The `FROM` of the main SELECT. It is complete after all parts have been compiled.
  package var mainSource: SQL { scopes[0].from }

  /// Whether the main SELECT also reads rows of other tables.
  package var hasJoins: Bool { !scopes[0].joined.isEmpty }

  mutating func add(_ condition: SQL) {
    scopes[scopes.count - 1].conditions.append(condition)
  }

  // MARK: To-one

  /// Returns the destination of a to-one relationship, without joining the destination's table.
  mutating func follow(
    _ name: String, from row: RowReference
  ) throws(CheckError) -> RowReference {
    guard let column = row.entity.toOne[name] else { throw Self.missing(name, row) }
    let destination = try entity(named: column.destination)
    let owner = alias(of: row)
    let key = SQL.name(owner, column.column)
    var number = column.entityColumn.map { SQL.name(owner, $0) }
    if number == nil, destination.subtree.count == 1 {
      // Without a destination, the number is NULL.
      number = "CASE WHEN \(key) IS NOT NULL THEN \(.number(destination.number)) END"
    }
    return RowReference(
      entity: destination, key: key, number: number, alias: nil, scope: row.scope)
  }

  /// Returns the alias of the row's table, which is joined if necessary.
  mutating func alias(of row: RowReference) -> String {
    if let alias = row.alias { return alias }
    let join = Join(table: row.entity.table, key: row.key)
    if let alias = scopes[row.scope].joined[join] { return alias }
    let alias = nextAlias()
    scopes[row.scope].joined[join] = alias
    scopes[row.scope].aliases.insert(alias)
    // LEFT JOIN, because a row without a destination must remain. Its columns are NULL.
    scopes[row.scope].from +=
      " LEFT JOIN \(Self.table(row.entity.table, alias)) ON \(.name(alias, FixedColumn.primaryKey)) = \(row.key)"
    return alias
  }

  /// Returns the column of an attribute.
  mutating func column(
    _ path: String, of row: RowReference
  ) throws(CheckError) -> SQL {
    guard let column = row.entity.attributes[path] else { throw Self.missing(path, row) }
    return .name(alias(of: row), column.column)
  }

  /// Returns the row's `Z_ENT`.
  package mutating func number(of row: RowReference) -> SQL {
    row.number ?? .name(alias(of: row), FixedColumn.entity)
  }

  /// Returns the row's `Z_ENT` as a sub-select, without joining the row's table.
  func lookup(of row: RowReference) -> SQL {
    """
    (SELECT \(name: FixedColumn.entity) FROM \(name: row.entity.table) \
    WHERE \(name: FixedColumn.primaryKey) = \(row.key))
    """
  }

  // MARK: To-many

  /// Opens a sub-select over the members of a to-many relationship.
  mutating func open(
    _ name: String, of row: RowReference
  ) throws(CheckError) -> RowReference {
    let (members, alias) = (try Self.members(name, of: row), nextAlias())
    open(members.table, alias, linking: members.ownerColumn, to: row)
    return try member(of: members, at: alias)
  }

  /// Follows another to-many relationship from the members of the open sub-select, by joining its table to that
  /// sub-select.
  mutating func extend(
    _ name: String, of row: RowReference
  ) throws(CheckError) -> RowReference {
    let (members, alias) = (try Self.members(name, of: row), nextAlias())
    let owner = SQL.name(alias, members.ownerColumn)
    scopes[row.scope].aliases.insert(alias)
    scopes[row.scope].from += " JOIN \(Self.table(members.table, alias)) ON \(owner) = \(row.key)"
    return try member(of: members, at: alias)
  }

  private static func members(
    _ name: String, of row: RowReference
  ) throws(CheckError) -> ToManyLayout {
    guard let members = row.entity.toMany[name] else { throw missing(name, row) }
    return members
  }

  /// Returns the member at an alias of the members' table or of the join table. If it is the join table, the members'
  /// own table is joined only when one of its columns is used.
  private mutating func member(
    of members: ToManyLayout, at alias: String
  ) throws(CheckError) -> RowReference {
    let entity = try entity(named: members.destination)
    if let column = members.orderColumn {
      scopes[scopes.count - 1].order.append(.name(alias, column))
    }
    switch members {
    case .column: return self.row(of: entity, at: alias)
    case .joinTable(let join):
      return self.row(of: entity, key: .name(alias, join.destinationColumn))
    }
  }

  private mutating func open(
    _ table: String, _ alias: String, linking column: String, to row: RowReference
  ) {
    let link = Link(inner: .name(alias, column), outer: row.key, isOfKey: row.alias != nil)
    scopes.append(Scope(from: Self.table(table, alias), aliases: [alias], link: link))
  }

  /// Opens a sub-select over the possible destinations of a to-one relationship.
  mutating func openDestination(
    of name: String, from row: RowReference
  ) throws(CheckError) -> RowReference {
    let destination = try follow(name, from: row)
    let alias = nextAlias()
    open(destination.entity.table, alias, linking: FixedColumn.primaryKey, to: destination)
    return self.row(of: destination.entity, at: alias)
  }

  /// Closes the innermost sub-select and returns it.
  mutating func close(selecting result: SQL) -> SQL {
    let scope = scopes.removeLast()
    let link: [SQL] = scope.link.map { ["\($0.inner) = \($0.outer)"] } ?? []
    return "SELECT \(result) FROM \(scope.from)\((link + scope.conditions).whereClause)"
  }

  // MARK: Pieces

  private func row(of entity: EntityLayout, at alias: String) -> RowReference {
    RowReference(
      entity: entity, key: .name(alias, FixedColumn.primaryKey),
      number: .name(alias, FixedColumn.entity), alias: alias, scope: scopes.count - 1)
  }

  func entity(named name: String) throws(CheckError) -> EntityLayout {
    guard let entity = layout.entity(named: name) else {
      throw CheckError(.unknownEntity(name, known: layout.entities.map(\.name)))
    }
    return entity
  }

  mutating func nextAlias() -> String {
    defer { aliasCount += 1 }
    return "t\(aliasCount)"
  }

  private static func table(_ name: String, _ alias: String) -> SQL {
    "\(name: name) \(name: alias)"
  }

  private static func missing(_ property: String, _ row: RowReference) -> CheckError {
    let known = [
      Array(row.entity.attributes.keys), Array(row.entity.toOne.keys),
      Array(row.entity.toMany.keys),
    ]
    return CheckError(
      .unknownProperty(property, entity: row.entity.name, known: known.flatMap(\.self).sorted()))
  }
}

/// A row that an expression uses.
package struct RowReference: Hashable {
  var entity: EntityLayout
  /// The SQL of the row's `Z_PK`, such as its own column or a column that refers to it.
  package var key: SQL
  /// The SQL of the row's `Z_ENT`; nil if only the row's own table contains it.
  var number: SQL?
  /// The alias of the row's own table; nil if the table is joined only when one of its columns is used.
  package var alias: String?
  /// The index of the scope in which the row is.
  var scope: Int
}

extension [SQL] {
  /// The WHERE clause of these conditions with a leading space; empty without conditions.
  package var whereClause: SQL { isEmpty ? "" : " WHERE \(joined(" AND "))" }
}

extension SQL {
  /// Returns a bound integer.
  package static func number(_ number: Int64) -> SQL { .value(.integer(number)) }
}
