import SQLiteAccess
import StoreCore
import StoreLayout
import StoreModel
import StoreDiagnostics

/// Creates missing parts of the schema that follow from the rest of the store: companion columns of foreign keys,
/// triggers, indexes, R-trees, tables that never had rows, and the usual names of join tables.
///
/// It doesn't invent values. A new companion column contains the entity numbers of the referenced rows. A missing
/// position in an ordered relationship remains NULL, which `verify` reports. Tables that may have contained rows,
/// columns of properties and rows of `Z_PRIMARYKEY` aren't created, because empty tables and columns would hide a loss.
struct SchemaRepair {
  let connection: Connection
  let schema: StoreSchema
  let gaps: [SchemaGap]
  let layout: StoreLayout
  /// The names of tables, views and indexes in lowercase, each with the tables of the indexes, and nil for a table or
  /// view.
  private let owners: ExactDictionary<[String?]>

  init(connection: Connection, schema: StoreSchema, gaps: [SchemaGap], layout: StoreLayout) {
    self.connection = connection
    self.schema = schema
    self.gaps = gaps
    self.layout = layout
    let indexes = schema.database.tables.values.flatMap { table in
      table.indexes.map { ($0.name.lowercased(), [String?.some(table.name)]) }
    }
    let others = Array(schema.database.tables.keys) + Array(schema.database.standIns.keys)
    owners = ExactDictionary(
      indexes + others.map { ($0.lowercased(), [nil]) }, uniquingKeysWith: +)
  }

  /// The gaps of companion columns that a new store would also have. If a new store wouldn't have the column, the
  /// entity number in the column's name may be damaged.
  private var companions: [SchemaGap] {
    let fresh = StoreLayout(model: layout.model)
    let usual = Dictionary(layout.joinTables.map { ($0.name, $0.usualName) }) { first, _ in first }
    let tables =
      fresh.tables.map { ($0.name, $0.columns) } + fresh.joinTables.map { ($0.name, $0.columns) }
    let columns = ExactDictionary(tables, uniquingKeysWith: +)
    return gaps.filter { gap in
      guard case .companion(let column) = gap else { return false }
      return columns[usual[column.table, default: column.table], default: []].contains {
        $0.name.isExactly(column.column)
      } && !has(column)
    }
  }

  /// Whether the table has a column whose name is equal or differs only in case. SQLite doesn't allow two such columns.
  private func has(_ column: OmittedColumn) -> Bool {
    schema.database.tables[column.table]?.columns.contains {
      $0.name.lowercased().isExactly(column.column.lowercased())
    } ?? false
  }

  /// The join tables that can be renamed to their usual names. A table isn't renamed if the name is in use, if the
  /// table has other columns or triggers, or if it doesn't reject duplicate pairs.
  private var joinTableNames: [SchemaGap] {
    let triggered = Set(schema.database.triggers.map(\.table))
    return gaps.filter { gap in
      guard case .joinTableName(let name, let usual) = gap,
        let table = layout.joinTable(named: name), let stored = schema.database.tables[name]
      else { return false }
      return Set(stored.columnNames) == Set(table.columns.map(\.name))
        && stored.isUnique(table.primaryKey) && !isNameTaken(usual, besidesOn: name)
        && !triggered.contains(name)
    }
  }

  private var emptyTables: [SchemaGap] {
    gaps.filter { gap in
      guard case .emptyTable(let name, _) = gap else { return false }
      return !isNameTaken(name, besidesOn: name)
    }
  }

  private var triggers: [SchemaGap] {
    gaps.filter { if case .trigger = $0 { true } else { false } }
  }

  /// Creates tables, columns and triggers, and renames join tables. Call this before the repair of the rows, which
  /// requires the new layout.
  ///
  /// - Returns: the repaired gaps.
  func makeTables() throws(DatabaseError) -> [SchemaGap] {
    let (companions, triggers, names) = (companions, triggers, joinTableNames)
    let tables = emptyTables
    for case .emptyTable(let name, _) in tables { try create(name) }
    for case .companion(let column) in companions { try add(column) }
    let whole = StoreLayout(model: layout.model, in: try connection.schema())
    for case .companion(let column) in companions { try fill(column, whole) }
    for case .trigger(let trigger) in triggers { try connection.define(trigger.sql) }
    for case .joinTableName(let name, _) in names {
      guard let table = whole.joinTable(named: name) else { continue }
      try rename(table)
    }
    return tables + names + companions + triggers
  }

  /// Creates the table of an entity or a join table, with its indexes, triggers and R-trees.
  private func create(_ name: String) throws(DatabaseError) {
    if let table = layout.joinTable(named: name) {
      try connection.define(table.sql)
      if let index = table.index { try connection.define(index.sql(on: name)) }
    }
    guard let table = layout.table(named: name) else { return }
    try connection.define(table.sql)
    for index in table.indexes { try connection.define(index.sql(on: name)) }
    for trigger in layout.triggers where trigger.table == name {
      try connection.define(trigger.sql)
    }
    for tree in layout.rTrees where tree.table == name {
      try connection.makeRTree(tree)
      for trigger in tree.triggers { try connection.define(trigger.sql) }
    }
  }

  /// Copies the pairs into a new table with Core Data's order of columns, primary key and index. Drops the old table.
  private func rename(_ table: JoinTableLayout) throws(DatabaseError) {
    let new = table.named
    let columns = table.columns.map { SQL.name($0.name) }.joined(", ")
    try connection.define(new.sql)
    try connection.run(
      "INSERT INTO \(name: new.name) (\(columns)) SELECT \(columns) FROM \(name: table.name)")
    try connection.run("DROP TABLE \(name: table.name)")
    if let index = new.index { try connection.define(index.sql(on: new.name)) }
  }

  /// Creates indexes. Call this after the repair of the rows, because rows can prevent a unique index.
  ///
  /// - Returns: the repaired gaps.
  func makeIndexes(_ progress: (WorkStep) -> Void) throws(DatabaseError) -> [SchemaGap] {
    let makable = try makableIndexes()
    for (place, gap) in makable.enumerated() {
      guard case .index(let index, let table) = gap else { continue }
      progress(
        WorkStep(
          "creating index \(place + 1) of \(makable.count), \(index.name)", number: place + 1,
          of: makable.count))
      // An index with this name but other columns may exist.
      try connection.run("DROP INDEX IF EXISTS \(name: index.name)")
      try connection.define(index.sql(on: table))
    }
    return makable
  }

  /// Creates R-trees. Call this after the repair of the rows, because R-trees contain values of the rows.
  ///
  /// - Returns: the repaired gaps.
  func makeRTrees() throws(DatabaseError) -> [SchemaGap] {
    for case .rTree(let tree) in makableRTrees {
      for trigger in tree.triggers {
        try connection.run("DROP TRIGGER IF EXISTS \(name: trigger.name)")
      }
      try connection.makeRTree(tree)
      for trigger in tree.triggers { try connection.define(trigger.sql) }
    }
    return makableRTrees
  }

  /// Returns the gaps that can be repaired.
  func makable() throws(DatabaseError) -> [SchemaGap] {
    try emptyTables + joinTableNames + companions + triggers + makableIndexes() + makableRTrees
  }

  private var makableRTrees: [SchemaGap] {
    gaps.filter { gap in
      guard case .rTree(let tree) = gap else { return false }
      let isThere = schema.database.virtualTables[tree.name] != nil
      return isThere || !tree.tableNames.contains { isNameTaken($0, besidesOn: tree.table) }
    }
  }

  /// Returns the indexes that can be created. A unique index requires unique values.
  private func makableIndexes() throws(DatabaseError) -> [SchemaGap] {
    var makable: [SchemaGap] = []
    // `rename` creates the indexes of renamed tables.
    let renamed = Set(
      joinTableNames.compactMap { gap -> String? in
        if case .joinTableName(let table, _) = gap { table } else { nil }
      })
    for case .index(let index, let table) in gaps {
      guard !renamed.contains(table), !isNameTaken(index.name, besidesOn: table) else { continue }
      if index.isUnique, try hasDuplicates(index.columns.map(\.name), in: table) { continue }
      makable.append(.index(index, table: table))
    }
    return makable
  }

  /// Whether a table, a view, or an index of another table has the name. Indexes of `table` are ignored, because they
  /// are replaced.
  private func isNameTaken(_ name: String, besidesOn table: String) -> Bool {
    owners[name.lowercased(), default: []].contains { $0 != table }
  }

  private func hasDuplicates(_ columns: [String], in table: String) throws(DatabaseError) -> Bool {
    let present = columns.map { "\(name: $0) NOT NULL" as SQL }.joined(" AND ")
    return try connection.integer(
      """
      SELECT count(*) FROM (SELECT 1 FROM \(name: table) WHERE \(present) \
      GROUP BY \(columns.map(SQL.name).joined(", ")) HAVING count(*) > 1 LIMIT 1)
      """) > 0
  }

  private func add(_ column: OmittedColumn) throws(DatabaseError) {
    let type = SQL(segments: [.text(DeclaredType.integer.rawValue)])
    try connection.define(
      "ALTER TABLE \(name: column.table) ADD COLUMN \(name: column.column) \(type)")
  }

  /// Sets the new companion column to the entity number of each referenced row.
  private func fill(_ added: OmittedColumn, _ layout: StoreLayout) throws(DatabaseError) {
    for place in layout.entities(in: added.table) {
      guard let entity = layout.model.entity(named: place.name) else { continue }
      for relationship in entity.relationships {
        guard let column = place.toOne[relationship.name], column.entityColumn == added.column,
          let destination = layout.entity(named: column.destination),
          try connection.hasTable(destination.table)
        else { continue }
        try connection.run(
          """
          UPDATE \(name: added.table) AS t SET \(name: added.column) = \
          (SELECT d.\(name: FixedColumn.entity) FROM \(name: destination.table) AS d \
          WHERE d.\(name: FixedColumn.primaryKey) = t.\(name: column.column) \
          AND d.\(name: FixedColumn.entity) IN \(.list(destination.subtree))) \
          WHERE t.\(name: column.column) NOT NULL \
          AND t.\(name: FixedColumn.entity) IN \(.list(place.subtree))
          """)
      }
    }
  }
}
