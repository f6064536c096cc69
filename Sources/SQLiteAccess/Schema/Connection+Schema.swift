package import StoreDiagnostics

/// Reads the schema of a database as a `DatabaseSchema`.
extension Connection {
  /// - Parameter table: the table to read with its indexes and triggers, or nil for the whole schema.
  package func databaseSchema(of table: String? = nil) throws(DatabaseError) -> DatabaseSchema {
    let asked: SQL = table.map { "m.tbl_name = \(value: .text($0))" } ?? "TRUE"
    var schema = DatabaseSchema(
      standIns: try standIns(where: asked), virtualTables: try virtualTables(where: asked),
      triggers: try triggers(where: asked))
    var indexes: ExactDictionary<String> = [:]
    var definitions = try prepare(
      """
      SELECT m.type, m.name, m.sql FROM sqlite_master m WHERE \(asked) \
      AND (\(Self.isTable) OR m.type = 'index' AND m.sql IS NOT NULL)
      """)
    while try definitions.step() {
      let (name, definition) = (definitions.text(at: 1), definitions.text(at: 2))
      if definitions.text(at: 0) == "index" {
        indexes[name] = definition
      } else {
        schema.tables[name] = .init(name: name, columns: [], definition: definition)
      }
    }
    try readColumns(where: asked, into: &schema)
    try readIndexes(where: asked, definitions: indexes, into: &schema)
    return schema
  }

  /// Returns the kind of each view and virtual table, by name.
  ///
  /// - Parameter asked: the condition for the rows `m` of `sqlite_master` that are read.
  package func standIns(
    where asked: SQL = "TRUE"
  ) throws(DatabaseError) -> ExactDictionary<DatabaseSchema.StandIn> {
    let rows = try map(
      """
      SELECT m.name, m.type FROM sqlite_master m \
      WHERE m.type IN ('table', 'view') AND NOT \(Self.isTable) AND \(asked)
      """
    ) { ($0.text(at: 0), $0.text(at: 1)) }
    return ExactDictionary(rows) { _, last in last }.mapValues {
      $0 == "view" ? .view : .virtualTable
    }
  }

  private func virtualTables(where asked: SQL) throws(DatabaseError) -> ExactDictionary<String> {
    let rows = try map(
      """
      SELECT m.name, m.sql FROM sqlite_master m \
      WHERE m.type = 'table' AND NOT \(Self.isTable) AND \(asked)
      """
    ) { ($0.text(at: 0), $0.text(at: 1)) }
    return ExactDictionary(rows) { _, last in last }
  }

  /// Returns the triggers in the order of their names.
  ///
  /// - Parameter asked: the condition for the rows `m` of `sqlite_master` that are read.
  package func triggers(
    where asked: SQL = "TRUE"
  ) throws(DatabaseError) -> [DatabaseSchema.Trigger] {
    try map(
      """
      SELECT m.name, m.tbl_name, m.sql FROM sqlite_master m \
      WHERE m.type = 'trigger' AND \(asked) ORDER BY m.name
      """
    ) { .init(name: $0.text(at: 0), table: $0.text(at: 1), definition: $0.text(at: 2)) }
  }

  private func readColumns(
    where asked: SQL, into schema: inout DatabaseSchema
  ) throws(DatabaseError) {
    var rows = try prepare(
      """
      SELECT m.name, c.name, c.type, c.dflt_value, c."notnull", c.pk \
      FROM sqlite_master m, pragma_table_info(m.name) c \
      WHERE \(Self.isTable) AND \(asked) ORDER BY m.rowid, c.cid
      """)
    while try rows.step() {
      schema.tables[rows.text(at: 0)]?.columns.append(
        .init(
          name: rows.text(at: 1), declaredType: rows.text(at: 2),
          defaultText: rows.isNull(at: 3) ? nil : rows.text(at: 3),
          isRequired: rows.integer(at: 4) != 0, keyPosition: rows.integer(at: 5)))
    }
  }

  /// - Parameter definitions: the `CREATE INDEX` statements, by the index's name.
  private func readIndexes(
    where asked: SQL, definitions: ExactDictionary<String>, into schema: inout DatabaseSchema
  ) throws(DatabaseError) {
    // SQLite lists the newest index first, so the order is reversed.
    var rows = try prepare(
      """
      SELECT m.name, l.name, l."unique", l.partial, c.name, c.desc \
      FROM sqlite_master m, pragma_index_list(m.name) l, pragma_index_xinfo(l.name) c \
      WHERE \(Self.isTable) AND \(asked) AND c.key ORDER BY m.rowid, l.seq DESC, c.seqno
      """)
    while try rows.step() {
      let name = rows.text(at: 1)
      let part = DatabaseSchema.Index.Part(
        column: rows.isNull(at: 4) ? nil : rows.text(at: 4), isAscending: rows.integer(at: 5) == 0)
      schema.tables[rows.text(at: 0)]?.add(
        .init(
          name: name, parts: [part], isUnique: rows.integer(at: 2) != 0,
          isPartial: rows.integer(at: 3) != 0, definition: definitions[name]))
    }
  }
}

extension DatabaseSchema.Table {
  /// Adds an index that was read with only one of its parts. If the last index has the same name, appends the part to
  /// that index.
  fileprivate mutating func add(_ index: DatabaseSchema.Index) {
    if let last = indexes.last, last.name.isExactly(index.name) {
      indexes[indexes.count - 1].parts += index.parts
    } else {
      indexes.append(index)
    }
  }
}
