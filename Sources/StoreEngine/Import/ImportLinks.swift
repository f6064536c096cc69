import StorePredicate

/// The relationships between imported objects, kept in temporary tables until all rows are in, and
/// then resolved and written by a few statements, whatever their number.
///
/// A link says: the relationship `kind` leads from the row `owner` to a row, which is either known
/// (`entity`, `target`) or named by a `reference`.
struct ImportLinks {
  /// A relationship of one entity.
  struct Kind: Hashable {
    var entity: String
    var relationship: String
    var destination: String
  }

  private let connection: Connection
  private(set) var kinds: [Kind] = []
  private var numbers: [Kind: Int64] = [:]

  init(on connection: Connection) throws(StoreError) {
    self.connection = connection
    try connection.run("DROP TABLE IF EXISTS temp.import_id")
    try connection.run("DROP TABLE IF EXISTS temp.import_link")
    try connection.run(
      "CREATE TEMP TABLE import_id (id TEXT PRIMARY KEY, entity INTEGER, target INTEGER) WITHOUT ROWID"
    )
    try connection.run(
      """
      CREATE TEMP TABLE import_link (kind INTEGER, owner INTEGER, position INTEGER, \
      entity INTEGER, target INTEGER, reference TEXT)
      """)
  }

  /// Gives the `$id` of a record to its new row; false when another record has it.
  func name(_ identity: String, entity: Int64, key: Int64) throws(StoreError) -> Bool {
    try connection.run(
      """
      INSERT OR IGNORE INTO temp.import_id VALUES \
      (\(value: .text(identity)), \(value: .integer(entity)), \(value: .integer(key)))
      """) == 1
  }

  /// What a link leads to.
  enum Target {
    case row(entity: Int64, key: Int64)
    case reference(String)
  }

  mutating func add(
    _ kind: Kind, owner: Int64, position: Int, to target: Target
  ) throws(StoreError) {
    let number = numbers[kind] ?? Int64(kinds.count)
    if numbers[kind] == nil {
      numbers[kind] = number
      kinds.append(kind)
    }
    let values: [SQLiteValue] =
      switch target {
      case .row(let entity, let key): [.integer(entity), .integer(key), .null]
      case .reference(let text): [.null, .null, .text(text)]
      }
    let row = [.integer(number), .integer(owner), .integer(Int64(position))] + values
    try connection.run(
      "INSERT INTO temp.import_link VALUES (\(row.map(SQL.value).joined(", ")))")
  }

  // MARK: Resolving

  /// Finds the rows behind all references: records of this import first, then rows of the store.
  ///
  /// - Throws: `ImportError.dangling`, `ImportError.wrongEntity`.
  func resolve(in layout: StoreLayout, store: String) throws {
    try resolveKnown()
    try nameStoreRows(in: layout, store: store)
    try resolveKnown()
    try refuseDangling()
    for (number, kind) in kinds.enumerated() {
      try refuseWrongEntity(of: kind, Int64(number), in: layout)
    }
  }

  private func resolveKnown() throws(StoreError) {
    try connection.run(
      """
      UPDATE temp.import_link SET entity = i.entity, target = i.target \
      FROM temp.import_id AS i WHERE import_link.reference = i.id AND import_link.target IS NULL
      """)
  }

  /// Takes the references that are left for object IDs, and names those that exist.
  private func nameStoreRows(in layout: StoreLayout, store: String) throws(StoreError) {
    var statement = try connection.prepare(
      "SELECT DISTINCT reference FROM temp.import_link WHERE target IS NULL")
    var found: [(text: String, entity: EntityLayout, key: Int64)] = []
    while try statement.step() {
      let text = statement.text(at: 0)
      guard let id = ObjectID(uri: text), id.store ?? store == store,
        let entity = layout.entity(named: id.entity)
      else { continue }
      found.append((text, entity, id.primaryKey))
    }
    for (text, entity, key) in found {
      _ = try name(text, entity: entity.number, key: key)
    }
    // IDs of rows that do not exist are taken back, a table at a time.
    for table in layout.tables {
      let numbers = layout.entities.filter { $0.table == table.name }.map(\.number)
      let list = numbers.map { SQL.value(.integer($0)) }.joined(", ")
      try connection.run(
        """
        DELETE FROM temp.import_id WHERE entity IN (\(list)) AND NOT EXISTS \
        (SELECT 1 FROM \(name: table.name) AS t \
        WHERE t.\(name: FixedColumn.primaryKey) = import_id.target \
        AND t.\(name: FixedColumn.entity) = import_id.entity)
        """)
    }
  }

  private func refuseDangling() throws {
    var statement = try connection.prepare(
      """
      SELECT DISTINCT kind, reference FROM temp.import_link WHERE target IS NULL \
      ORDER BY kind, reference
      """)
    var dangling: [ImportError.Reference] = []
    while try statement.step() {
      let kind = kinds[Int(statement.integer(at: 0))]
      dangling.append(
        .init(
          relationship: "\(kind.entity).\(kind.relationship)", target: statement.text(at: 1)))
    }
    if !dangling.isEmpty { throw ImportError.dangling(dangling) }
  }

  private func refuseWrongEntity(
    of kind: Kind, _ number: Int64, in layout: StoreLayout
  ) throws {
    let fitting = layout.entity(named: kind.destination)?.subtree ?? []
    let wrong = try connection.rows(
      """
      SELECT entity FROM temp.import_link WHERE kind = \(value: .integer(number)) \
      AND entity NOT IN (\(fitting.map { SQL.value(.integer($0)) }.joined(", "))) LIMIT 1
      """)
    guard case .integer(let entity)? = wrong.first?.first else { return }
    let name = layout.entity(numbered: entity)?.name ?? "\(entity)"
    throw ImportError.wrongEntity(name, expected: kind.destination, path: [kind.relationship])
  }
}
