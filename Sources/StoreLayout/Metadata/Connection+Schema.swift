package import SQLiteAccess
import StoreSQL

extension Connection {
  /// Tables, columns, keys and entity numbers, for `StoreLayout(model:in:)` and `SchemaGap`.
  package func schema() throws(DatabaseError) -> StoreSchema {
    var schema = StoreSchema(columns: [:], primaryKeys: [])
    var statement = try prepare(
      """
      SELECT m.name, c.name, c.pk FROM sqlite_master m, pragma_table_info(m.name) c \
      WHERE \(Self.isTable) ORDER BY m.rowid, c.cid
      """)
    var primary: [String: [String]] = [:]
    while try statement.step() {
      let (table, column) = (statement.text(at: 0), statement.text(at: 1))
      schema.columns[table, default: []].append(column)
      if statement.integer(at: 2) > 0 { primary[table, default: []].append(column) }
    }
    schema.indexes = try indexKeys()
    for (table, key) in primary {
      schema.indexes[table, default: []].insert(.init(columns: key, isUnique: true))
    }
    schema.triggers = Set(try triggerNames())
    schema.standIns = try standIns()
    schema.primaryKeys = try primaryKeys()
    return schema
  }

  private func indexKeys() throws(DatabaseError) -> [String: Set<StoreSchema.Index>] {
    var statement = try prepare(
      """
      SELECT m.name, l.name, l."unique" AND NOT l.partial, c.name \
      FROM sqlite_master m, pragma_index_list(m.name) l, pragma_index_info(l.name) c \
      WHERE \(Self.isTable) ORDER BY m.name, l.seq, c.seqno
      """)
    var found: [String: [String: StoreSchema.Index]] = [:]
    while try statement.step() {
      let (table, name) = (statement.text(at: 0), statement.text(at: 1))
      let isUnique = statement.integer(at: 2) != 0
      let column = statement.text(at: 3)
      found[table, default: [:]][name, default: .init(columns: [], isUnique: isUnique)]
        .columns.append(column)
    }
    return found.mapValues { Set($0.values) }
  }

  private func standIns() throws(DatabaseError) -> [String: StoreSchema.StandIn] {
    var statement = try prepare(
      """
      SELECT m.name, m.type FROM sqlite_master m WHERE m.type IN ('table', 'view') \
      AND NOT \(Self.isTable)
      """)
    var found: [String: StoreSchema.StandIn] = [:]
    while try statement.step() {
      let (name, type) = (statement.text(at: 0), statement.text(at: 1))
      found[name.uppercased()] = type == "view" ? .view : .virtualTable
    }
    return found
  }
}
