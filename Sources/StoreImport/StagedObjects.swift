import SQLiteAccess
import StoreCore
import StoreLayout
import StoreModel

/// The objects of an entity that are identified by an import key or by the `$id` of a row. They are collected until all
/// input is read, because several of them can become the same row.
///
/// They are then compared with each other and with the store. The number of statements depends on the entity, not on
/// the number of objects, except for changed values in external files.
final class StagedObjects {
  let plan: InsertPlan
  let key: ImportKey
  let policy: ConflictPolicy
  let given: GivenFieldSets
  let connection: Connection
  private var adding: Statement
  private var count = 0

  /// The name of the table of all objects: the object's primary key (`k`, see `add`), the values of its columns, the
  /// number of the set of fields that it contains (`given`), and its location in the input.
  let stagedName: String
  /// The name of the table of the objects' rows: the object's own key (`k`), the primary key and entity number of its
  /// row (`row`, `entity`), and whether the store already contains the row (`isThere`).
  let sameName: String
  /// The name of the table of the rows to write: `row`, `isThere`, the key of the row's first object (`first`), and the
  /// values of the columns.
  let mergedName: String

  var staged: SQL { .name("temp", stagedName) }
  var same: SQL { .name("temp", sameName) }
  var merged: SQL { .name("temp", mergedName) }

  init(
    _ plan: InsertPlan, key: ImportKey, policy: ConflictPolicy, given: GivenFieldSets,
    on connection: Connection
  ) throws(DatabaseError) {
    self.plan = plan
    self.key = key
    self.policy = policy
    self.given = given
    self.connection = connection
    let suffix = "\(key.isRow ? "row_" : "")\(plan.entityNumber)"
    stagedName = "import_staged_\(suffix)"
    sameName = "import_same_\(suffix)"
    mergedName = "import_merged_\(suffix)"
    let cells = Self.cells(of: plan)
    try connection.makeTemporaryTable(
      stagedName,
      """
      (k INTEGER PRIMARY KEY, \(cells.joined(", ")), \
      given INTEGER, record INTEGER, line INTEGER, place INTEGER, isNested INTEGER)
      """)
    let marks = Array(repeating: "?" as SQL, count: cells.count + 6)
    adding = try connection.prepare(
      "INSERT INTO temp.\(name: stagedName) VALUES (\(marks.joined(", ")))")
  }

  static func cells(of plan: InsertPlan) -> [SQL] {
    plan.columns.indices.map { .name(cell($0)) }
  }

  static func cell(_ index: Int) -> String { "c\(index)" }

  var keyFields: [InsertPlan.Field] { key.attributes.compactMap { plan.field(named: $0) } }

  /// Returns whether the object in the row `row` of `rows` specifies all values of the import key.
  func isKnown(row: Int, of rows: PackedRows) -> Bool {
    let cells = rows.cells(ofRow: row)
    guard keyFields.allSatisfy({ cells[$0.cell].kind != .null }) else { return false }
    let names = given[rows.givenNumber(ofRow: row)].fields.map { plan.fields[$0].name }
    return key.attributes.allSatisfy(names.contains)
  }

  /// - Parameter key: the primary key that the object gets if it becomes a new row, or the primary key of the existing
  ///   row that its `$id` identifies.
  func add(
    row: Int, of rows: PackedRows, key: Int64, from record: GraphWriter.Record, isNested: Bool
  ) throws(DatabaseError) {
    count += 1
    try adding.bind(key: key, at: 1)
    try adding.bind(row: row, of: rows, from: 2)
    let more = [
      Int64(rows.givenNumber(ofRow: row)), Int64(record.index), Int64(record.position.line),
      Int64(record.position.column), isNested ? 1 : 0,
    ]
    for (index, value) in more.enumerated() {
      try adding.bind(key: value, at: Int32(plan.width + 2 + index))
    }
    _ = try adding.step()
    adding.reset()
  }

  var isEmpty: Bool { count == 0 }

  /// Finds objects with the same row, and writes the rows. Links still contain the keys that were passed to `add`,
  /// which `ImportLinks.replace` replaces next. `ImportLinks.settleChanged` counts the existing rows of the objects and
  /// the changed rows.
  ///
  /// - Returns: the number of new rows.
  func write(_ changes: ChangeRecorder, _ inputs: ImportInputs) throws -> Int {
    guard !isEmpty else { return 0 }
    try findSame(inputs)
    if policy == .fail || key.isChosen { try refuseRepeatedRecords(inputs) }
    try collect()
    for index in plan.fields.indices where isMerged(index) { try take(index, inputs) }
    try keepFiles()
    try refuseMissing(inputs)
    let inserted = try insert(inputs)
    try connection.run(
      ImportLinks.notingMet(
        """
        SELECT \(.name(plan.table, FixedColumn.entity)), g.row FROM \(merged) AS g \
        JOIN \(name: plan.table) ON \(isRow)
        """))
    if policy == .update { try update(changes, inputs) }
    return inserted
  }

  /// The condition that joins an existing row with its row `g` in `merged`.
  private var isRow: SQL {
    "\(.name(plan.table, FixedColumn.primaryKey)) = g.row AND g.isThere"
  }

  func close() throws(DatabaseError) {
    for table in [staged, same, merged] { try connection.run("DROP TABLE IF EXISTS \(table)") }
  }

  /// Returns whether the objects of a row can contain different values of a field that must be merged. Relationships
  /// are written as links, and the values of the key are equal.
  private func isMerged(_ index: Int) -> Bool {
    guard case .attribute = plan.fields[index].content else { return false }
    return !key.attributes.contains(plan.fields[index].name)
  }

  // MARK: Finding equal objects

  private var rowsOfKey: SQL {
    let equal = keyFields.map { field -> SQL in
      "t.\(name: plan.columns[field.cell]) = s.\(name: Self.cell(field.cell))"
    }
    return """
      \(name: plan.table) AS t ON \(equal.joined(" AND ")) \
      AND t.\(name: FixedColumn.entity) IN \(.list(plan.place.subtree))
      """
  }

  private func findSame(_ inputs: ImportInputs) throws {
    if !key.isConstraint { try refuseSeveralRows(inputs) }
    try connection.makeTemporaryTable(
      sameName, "(k INTEGER PRIMARY KEY, row INTEGER, entity INTEGER, isThere INTEGER)")
    guard !key.isRow else {
      try connection.run(
        "INSERT INTO \(same) SELECT k, k, \(value: .integer(plan.entityNumber)), 1 FROM \(staged)")
      return
    }
    let keys = keyFields.map { field -> SQL in "s.\(name: Self.cell(field.cell))" }
    try connection.run(
      """
      INSERT INTO \(same) SELECT s.k, coalesce(t.\(name: FixedColumn.primaryKey), \
      min(s.k) OVER (PARTITION BY \(keys.joined(", ")))), \
      coalesce(t.\(name: FixedColumn.entity), \(value: .integer(plan.entityNumber))), \
      t.\(name: FixedColumn.primaryKey) IS NOT NULL \
      FROM \(staged) AS s LEFT JOIN \(rowsOfKey)
      """)
  }

  private func refuseSeveralRows(_ inputs: ImportInputs) throws {
    let found = try connection.rows(
      """
      SELECT s.record, s.line, s.place, count(*) FROM \(staged) AS s JOIN \(rowsOfKey) \
      GROUP BY s.k HAVING count(*) > 1 ORDER BY s.k LIMIT 1
      """)
    guard let row = found.first else { return }
    throw error(.severalRows(key: key.attributes), at: row, inputs)
  }

  /// Rejects a record with the import key of an earlier record or, if the policy is `.fail`, of an existing row. A
  /// nested object may repeat a key, because it can be a reference to the row.
  private func refuseRepeatedRecords(_ inputs: ImportInputs) throws {
    let isThere: SQL = policy == .fail ? "isThere OR " : ""
    let keys = keyFields.map { field -> SQL in .name(Self.cell(field.cell)) }
    let found = try connection.rows(
      """
      SELECT record, line, place, n > 1, \(keys.joined(", ")) FROM (SELECT s.*, m.isThere, \
      row_number() OVER (PARTITION BY m.row ORDER BY s.k) AS n FROM \(staged) AS s \
      JOIN \(same) AS m USING (k) WHERE NOT s.isNested) WHERE \(isThere)n > 1 ORDER BY k LIMIT 1
      """)
    guard let row = found.first else { return }
    let values = zip(keyFields, row.dropFirst(4)).map { ($0.name, $1.shown(as: $0)) }
    throw error(
      .conflict(
        values: Dictionary(values) { first, _ in first }, policy: policy,
        isInInput: row[3].integer == 1), at: row, inputs)
  }

  // MARK: Values of rows

  private func collect() throws(DatabaseError) {
    let cells = Self.cells(of: plan)
    try connection.makeTemporaryTable(
      mergedName,
      "(row INTEGER PRIMARY KEY, isThere INTEGER, first INTEGER, \(cells.joined(", ")))")
    try connection.run(
      """
      INSERT INTO \(merged) SELECT m.row, 0, m.row, \(cells.joined(", ")) FROM \(same) AS m \
      JOIN \(staged) AS s USING (k) WHERE m.k = m.row AND NOT m.isThere
      """)
    let columns = plan.columns.map { column -> SQL in "t.\(name: column)" }
    try connection.run(
      """
      INSERT INTO \(merged) SELECT m.row, 1, m.first, \(columns.joined(", ")) \
      FROM (SELECT row, min(k) AS first FROM \(same) WHERE isThere GROUP BY row) AS m \
      JOIN \(name: plan.table) AS t ON t.\(name: FixedColumn.primaryKey) = m.row
      """)
  }

  /// Returns the clauses `FROM` and `WHERE` for the objects `s` that contain a field and their rows `m`, or nil if no
  /// object contains the field.
  private func giving(_ index: Int) -> SQL? {
    let sets = (0..<given.count).filter { given[$0].fields.contains(index) }
    guard !sets.isEmpty else { return nil }
    return """
      FROM \(staged) AS s JOIN \(same) AS m USING (k) \
      WHERE s.given IN \(.list(sets.map(Int64.init)))
      """
  }

  /// Sets a field of the merged rows: to the value of the last object that contains it if the policy is `.update`,
  /// otherwise of the first object. Existing rows only change if the policy is `.update`. Different values are an error
  /// if the policy is `.fail`.
  private func take(_ index: Int, _ inputs: ImportInputs) throws {
    guard let giving = giving(index) else { return }
    let cell = Self.cell(plan.fields[index].cell)
    // SQLite reads the other columns from the row with the max() or min().
    let pick: SQL = policy == .update ? "max(s.k)" : "min(s.k)"
    let allowed: SQL = policy == .update ? "" : " AND NOT \(name: mergedName).isThere"
    try connection.run(
      """
      UPDATE \(merged) SET \(name: cell) = x.value FROM \
      (SELECT m.row AS row, \(pick), s.\(name: cell) AS value \(giving) GROUP BY m.row) AS x \
      WHERE \(name: mergedName).row = x.row AND \(name: mergedName).\(name: cell) IS NOT x.value\
      \(allowed)
      """)
    guard policy == .fail else { return }
    let found = try connection.rows(
      """
      SELECT s.record, s.line, s.place, g.isThere FROM \(staged) AS s JOIN \(same) AS m USING (k) \
      JOIN \(merged) AS g ON g.row = m.row WHERE s.k IN (SELECT s.k \(giving)) \
      AND g.\(name: cell) IS NOT s.\(name: cell) ORDER BY s.k LIMIT 1
      """)
    guard let row = found.first else { return }
    throw error(
      .contradiction(
        property: plan.fields[index].name, key: key.attributes, isInStore: row[3] == .integer(1)),
      at: row, inputs)
  }

  private func refuseMissing(_ inputs: ImportInputs) throws {
    for field in plan.fields {
      guard case .attribute = field.content, field.isRequired, field.defaultValue == .null
      else { continue }
      let found = try connection.rows(
        """
        SELECT s.record, s.line, s.place FROM \(merged) AS g JOIN \(staged) AS s ON s.k = g.first \
        WHERE NOT g.isThere AND g.\(name: Self.cell(field.cell)) IS NULL ORDER BY s.k LIMIT 1
        """)
      if let row = found.first {
        throw error(.value(property: field.name, shown: "", .missing), at: row, inputs)
      }
    }
  }

  // MARK: Writing

  private func insert(_ inputs: ImportInputs) throws -> Int {
    let names = [FixedColumn.primaryKey] + plan.columns + [FixedColumn.entity, FixedColumn.version]
    return try writing(inputs) {
      try connection.run(
        """
        INSERT INTO \(name: plan.table) (\(names.map(SQL.name).joined(", "))) \
        SELECT row, \(Self.cells(of: plan).joined(", ")), \(value: .integer(plan.entityNumber)), 1 \
        FROM \(merged) WHERE NOT isThere ORDER BY row
        """)
    }
  }

  /// Calls `work`, and replaces the error of a violated uniqueness constraint by a `RowError` with the record.
  private func writing(_ inputs: ImportInputs, _ work: () throws -> Int) throws -> Int {
    do {
      return try work()
    } catch let error as DatabaseError {
      guard let violated = error.violated(among: plan.uniqueness, of: plan.table),
        let conflict = try conflict(violated, inputs)
      else { throw error }
      throw conflict
    }
  }

  /// Returns the error for the first merged row that has the same values as another row in a uniqueness constraint.
  private func conflict(
    _ violated: InsertPlan.UniquenessConstraint, _ inputs: ImportInputs
  ) throws -> RowError? {
    let fields = violated.properties.compactMap { plan.field(named: $0) }
    let cells = fields.map { field -> SQL in "g.\(name: Self.cell(field.cell))" }
    let equal = fields.map { field -> SQL in
      "t.\(name: plan.columns[field.cell]) = g.\(name: Self.cell(field.cell))"
    }
    let found = try connection.rows(
      """
      SELECT s.record, s.line, s.place, \(cells.joined(", ")) FROM (SELECT *, row_number() OVER \
      (PARTITION BY \(cells.joined(", ")) ORDER BY row) AS n FROM \(merged) AS g) AS g \
      JOIN \(staged) AS s ON s.k = g.first WHERE n > 1 OR EXISTS \
      (SELECT 1 FROM \(name: plan.table) AS t WHERE \(equal.joined(" AND ")) \
      AND t.\(name: FixedColumn.primaryKey) <> g.row) \
      ORDER BY g.row LIMIT 1
      """)
    guard let row = found.first else { return nil }
    let values = zip(fields, row.dropFirst(3)).map { ($0.name, $1.shown(as: $0)) }
    return error(.conflict(values: Dictionary(values) { first, _ in first }), at: row, inputs)
  }

  /// Sets the new values of existing rows, and records changed rows in the history. The versions are incremented after
  /// all rows are written.
  private func update(_ changes: ChangeRecorder, _ inputs: ImportInputs) throws {
    let fields = plan.fields.indices.filter(isMerged).map { plan.fields[$0] }
    guard !fields.isEmpty else { return }
    let differs = fields.map { field -> SQL in
      "\(.name(plan.table, plan.columns[field.cell])) IS NOT g.\(name: Self.cell(field.cell))"
    }
    let rows: SQL = """
      SELECT \(.name(plan.table, FixedColumn.entity)), g.row FROM \(merged) AS g \
      JOIN \(name: plan.table) ON \(isRow)
      """
    if changes.isOn {
      for (field, isOther) in zip(fields, differs) {
        try changes.recordUpdates(of: "\(rows) WHERE \(isOther)", properties: [field.name])
      }
    }
    let isOther: SQL = "(\(differs.joined(" OR ")))"
    try connection.run(ImportLinks.noting(.values, "\(rows) WHERE \(isOther)"))
    let values = fields.map { field -> SQL in
      "\(name: plan.columns[field.cell]) = g.\(name: Self.cell(field.cell))"
    }
    _ = try writing(inputs) {
      try connection.run(
        """
        UPDATE \(name: plan.table) SET \(values.joined(", ")) \
        FROM \(merged) AS g WHERE \(isRow) AND \(isOther)
        """)
    }
  }

  /// - Parameter row: the record's number, line and column, followed by any other values.
  private func error(_ kind: RowError.Kind, at row: [SQLiteValue], _ inputs: ImportInputs)
    -> RowError
  {
    let numbers = row.prefix(3).map { Int($0.integer ?? 0) }
    let record = GraphWriter.Record(
      index: numbers[0], inputs: inputs,
      position: TextPosition(line: numbers[1], column: numbers[2]))
    return RowError(kind, entity: plan.entity, record: record.number, place: record.place)
  }
}
