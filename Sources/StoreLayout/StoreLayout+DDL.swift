package import SQLiteAccess

extension StoreLayout {
  /// The statements that create an empty store with this layout, in Core Data's order: tables, indexes, R-trees,
  /// triggers, then Core Data's own tables.
  package var statements: [SQL] {
    tableStatements + tables.flatMap { table in table.indexes.map { $0.sql(on: table.name) } }
      + joinTables.compactMap { table in table.index?.sql(on: table.name) }
      + rTrees.flatMap { [$0.sql] + $0.triggers.map(\.sql) } + triggers.map(\.sql)
      + Self.fixedTables
  }

  /// The statements that create the tables. A join table follows the table of the entity whose relationship names it.
  private var tableStatements: [SQL] {
    let joins = Dictionary(grouping: joinTables, by: namingTable)
    return tables.flatMap { [$0.sql] + joins[$0.name, default: []].map(\.sql) }
  }

  private func namingTable(of join: JoinTableLayout) -> String? {
    StoredName.join(join.name).flatMap { entity(numbered: $0.number)?.table }
  }

  /// The statements for Core Data's own tables, which are the same in all known stores.
  private static let fixedTables: [SQL] = [
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
  ]
}

extension TableLayout {
  package var sql: SQL {
    "CREATE TABLE \(name: name) ( \(columns.map(\.sql).joined(", ")) )"
  }
}

extension JoinTableLayout {
  package var sql: SQL {
    let key = primaryKey.map(SQL.name).joined(", ")
    return "CREATE TABLE \(name: name) ( \(columns.map(\.sql).joined(", ")), PRIMARY KEY (\(key)) )"
  }
}

extension ColumnLayout {
  fileprivate var sql: SQL {
    // The declared types are constants, not text of a user.
    .name(name) + " " + SQL(segments: [.text(declaredType)])
  }
}

extension IndexLayout {
  package func sql(on table: String) -> SQL {
    let unique: SQL = isUnique ? "UNIQUE " : ""
    let columns = columns.map { column -> SQL in
      switch column.isAscending {
      case nil: .name(column.name)
      case true?: "\(name: column.name) COLLATE BINARY ASC"
      case false?: "\(name: column.name) COLLATE BINARY DESC"
      }
    }.joined(", ")
    let create: SQL = "CREATE \(unique)INDEX \(name: name) ON \(name: table) (\(columns))"
    guard let condition else { return create }
    return "\(create) WHERE \(condition)"
  }
}
