import StoreCore
import SQLiteAccess
import StoreLayout
import StoreModel
import StorePredicate

/// The relationships between imported objects. They are kept in temporary tables until all rows are written. The number
/// of statements that then resolve and write them doesn't depend on the number of links, except for references that are
/// object IDs of existing rows.
///
/// A row of `import_link` contains the index of the relationship in `kinds` (`kind`), the primary key of the object's
/// row (`owner`), and the target: a row (`entity`, `target`), or a `reference`, with its stored form for comparison
/// with a key attribute (`value`). `resolve` adds the rows of references. If there is neither a row nor a reference,
/// the relationship is empty. `origin` is the primary key with which the object was added. It doesn't change when
/// `replace` sets `owner` to the row that the object shares with others, and later new objects have a greater `origin`.
final class ImportLinks {
  /// A relationship and the entity that declares it. Links of subentities' objects have the same kind.
  struct Kind: Hashable {
    var entity: String
    var relationship: String
    var destination: String

    var name: String { "\(entity).\(relationship)" }
  }

  let connection: Connection
  let inputs: ImportInputs
  private(set) var kinds: [Kind] = []
  /// For each element of `kinds`, the attribute whose values can refer to its destination, or nil if there is none.
  private var referenceKeys: [ReferenceKey?] = []
  private var numbers: [Kind: Int64] = [:]
  private var naming: Statement
  private var adding: Statement

  init(_ inputs: ImportInputs, on connection: Connection) throws(DatabaseError) {
    self.inputs = inputs
    for (name, columns) in Self.linkTables + Self.comparedTables + Self.changedTables {
      try connection.makeTemporaryTable(name, columns)
    }
    self.connection = connection
    naming = try Statement("INSERT OR IGNORE INTO temp.import_id VALUES (?, ?, ?)", on: connection)
    adding = try Statement(
      "INSERT INTO temp.import_link VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, ?7, ?8)", on: connection)
  }

  private static let linkTables: [(name: String, columns: SQL)] = [
    ("import_id", "(id TEXT PRIMARY KEY, entity INTEGER, target INTEGER) WITHOUT ROWID"),
    (
      "import_link",
      """
      (kind INTEGER, owner INTEGER, origin INTEGER, \
      position INTEGER, record INTEGER, entity INTEGER, target INTEGER, reference TEXT, value)
      """
    ),
  ]

  /// - `import_given`: the relationships (`kind`) of rows (`owner`), if the owner or a target is an existing row.
  ///   `isOld` is 1 if the owner is an existing row. `isNamed` is 1 if a `$id` identifies the owner.
  /// - `import_change`: the links from `s` to `d` to add or remove.
  /// - `import_listed`: the members of lists that determine the order in the store, with their positions.
  private static let comparedTables: [(name: String, columns: SQL)] = [
    (
      "import_given",
      """
      (kind INTEGER, owner INTEGER, record INTEGER, isOld INTEGER, isNamed INTEGER, \
      PRIMARY KEY (kind, owner))
      """
    ),
    (
      "import_change",
      "(kind INTEGER, isRemoval INTEGER, s INTEGER, d INTEGER, n INTEGER, record INTEGER)"
    ),
    (
      "import_listed",
      """
      (kind INTEGER, owner INTEGER, target INTEGER, position INTEGER, \
      PRIMARY KEY (kind, owner, target) ON CONFLICT IGNORE)
      """
    ),
  ]

  /// Registers a `$id` or an object ID for a row. Returns false if it is already registered.
  func name(_ identity: String, entity: Int64, key: Int64) throws(DatabaseError) -> Bool {
    try naming.run([.text(identity), .integer(entity), .integer(key)])
    return connection.changeCount == 1
  }

  enum Target {
    case row(entity: Int64, key: Int64)
    case reference(String)
    /// `null` for a to-one, or an empty list.
    case nowhere
  }

  /// - Parameter key: returns the attribute whose value can be the reference. It is only called for the first link of a
  ///   kind.
  func add(
    _ kind: Kind, owner: Int64, position: Int, to target: Target, record: Int,
    key: () -> ReferenceKey?
  ) throws(DatabaseError) {
    let number = number(of: kind, key)
    let start = [number, owner, Int64(position), Int64(record)].map(SQLiteValue.integer)
    let end: [SQLiteValue] =
      switch target {
      case .row(let entity, let key): [.integer(entity), .integer(key), .null, .null]
      case .reference(let text):
        [.null, .null, .text(text), referenceKeys[Int(number)]?.stored(text) ?? .null]
      case .nowhere: [.null, .null, .null, .null]
      }
    try adding.run(start + end)
  }

  private func number(of kind: Kind, _ key: () -> ReferenceKey?) -> Int64 {
    if let known = numbers[kind] { return known }
    let number = Int64(kinds.count)
    numbers[kind] = number
    kinds.append(kind)
    referenceKeys.append(key())
    return number
  }

  // MARK: Resolving

  /// Finds the rows of all references. A reference is the `$id` of a record, otherwise the object ID of an existing
  /// row, otherwise the value of a key attribute. Must be called after all rows are written.
  ///
  /// - Parameter skipsMissing: whether to omit references to missing rows.
  /// - Returns: the numbers of omitted references, by `Entity.relationship`.
  /// - Throws: `ImportError.severalRows`, `ImportError.dangling`, `ImportError.wrongTarget`, `DatabaseError`.
  func resolve(
    in layout: StoreLayout, store: String, keys: KeyAllocator, skipsMissing: Bool
  ) throws -> [String: Int] {
    try resolveKnown()
    try nameStoreRows(in: layout, store: store, keys: keys)
    try resolveKnown()
    for (number, key) in referenceKeys.enumerated() {
      if let key { try resolve(kind: Int64(number), by: key, in: layout) }
    }
    let skipped = skipsMissing ? try skipDangling(in: layout) : [:]
    try refuseDangling(in: layout)
    for (number, kind) in kinds.enumerated() {
      try refuseWrongEntity(of: kind, Int64(number), in: layout)
    }
    return skipped
  }

  /// Omits references to missing rows. A to-one relationship then remains unchanged, and a list is used without the
  /// member.
  private func skipDangling(in layout: StoreLayout) throws(DatabaseError) -> [String: Int] {
    var skipped: [String: Int] = [:]
    for (number, kind) in kinds.enumerated() {
      let isMissing: SQL = """
        kind = \(value: .integer(Int64(number))) AND target IS NULL AND reference NOT NULL
        """
      let isToOne = layout.entity(named: kind.entity)?.toOne[kind.relationship] != nil
      let count = try connection.run(
        isToOne
          ? "DELETE FROM temp.import_link WHERE \(isMissing)"
          : "UPDATE temp.import_link SET reference = NULL, value = NULL WHERE \(isMissing)")
      if count > 0 { skipped[kind.name] = count }
    }
    return skipped
  }

  private func resolveKnown() throws(DatabaseError) {
    try connection.run(
      """
      UPDATE temp.import_link SET entity = i.entity, target = i.target \
      FROM temp.import_id AS i WHERE import_link.reference = i.id AND import_link.target IS NULL
      """)
  }

  /// Registers the remaining references that are object IDs of existing rows.
  private func nameStoreRows(
    in layout: StoreLayout, store: String, keys: KeyAllocator
  ) throws(DatabaseError) {
    var statement = try connection.prepare(
      "SELECT DISTINCT reference FROM temp.import_link WHERE target IS NULL AND reference NOT NULL")
    var found: [(text: String, entity: EntityLayout, key: Int64)] = []
    while try statement.step() {
      let text = statement.text(at: 0)
      guard let id = ObjectID(uri: text), id.store ?? store == store,
        let entity = layout.entity(named: id.entity),
        let root = layout.entity(named: entity.root),
        // An object ID in the input can't refer to a row that this import inserts.
        !keys.isNew(id.primaryKey, root: root.number)
      else { continue }
      found.append((text, entity, id.primaryKey))
    }
    for (text, entity, key) in found { _ = try name(text, entity: entity.number, key: key) }
    // IDs of missing rows are removed, one table at a time.
    for table in layout.tables {
      let numbers = layout.entities(in: table.name).map(\.number)
      try connection.run(
        """
        DELETE FROM temp.import_id WHERE entity IN \(.list(numbers)) AND NOT EXISTS \
        (SELECT 1 FROM \(name: table.name) AS t \
        WHERE t.\(name: FixedColumn.primaryKey) = import_id.target \
        AND t.\(name: FixedColumn.entity) = import_id.entity)
        """)
    }
  }

  /// Resolves the remaining references of a relationship as values of a key attribute of its destination.
  private func resolve(kind: Int64, by key: ReferenceKey, in layout: StoreLayout) throws {
    let fitting = SQL.list(layout.entity(named: kinds[Int(kind)].destination)?.subtree ?? [])
    let matches: SQL = """
      FROM \(name: key.table) AS t WHERE import_link.kind = \(value: .integer(kind)) \
      AND import_link.target IS NULL AND t.\(name: key.column) = import_link.value \
      AND t.\(name: FixedColumn.entity) IN \(fitting)
      """
    if !key.isConstraint {
      let several = try connection.rows(
        """
        SELECT record, reference FROM temp.import_link WHERE kind = \(value: .integer(kind)) \
        AND target IS NULL AND value IN (SELECT \(name: key.column) FROM \(name: key.table) \
        WHERE \(name: FixedColumn.entity) IN \(fitting) \
        GROUP BY \(name: key.column) HAVING count(*) > 1) ORDER BY record LIMIT 1
        """)
      if let row = several.first {
        throw ImportError.severalRows(
          inputs.reference(
            kinds[Int(kind)], to: row[1].text ?? "", of: row[0].integer ?? 0),
          key: key.attribute)
      }
    }
    try connection.run(
      """
      UPDATE temp.import_link SET entity = t.\(name: FixedColumn.entity), \
      target = t.\(name: FixedColumn.primaryKey) \(matches)
      """)
  }

  private func refuseDangling(in layout: StoreLayout) throws {
    var statement = try connection.prepare(
      """
      SELECT kind, reference, min(record) FROM temp.import_link \
      WHERE target IS NULL AND reference NOT NULL \
      GROUP BY kind, reference ORDER BY 3, kind, reference
      """)
    var dangling: [ImportError.Reference] = []
    while try statement.step() {
      let kind = kinds[Int(statement.integer(at: 0))]
      var reference = inputs.reference(
        kind, to: statement.text(at: 1), of: statement.integer(at: 2))
      let relationships = layout.model.entity(named: kind.entity)
        .map { layout.model.relationships(of: $0) }
      reference.isRequired =
        relationships?.contains { $0.name == kind.relationship && !$0.isOptional } ?? false
      dangling.append(reference)
    }
    if !dangling.isEmpty { throw ImportError.dangling(dangling) }
  }

  private func refuseWrongEntity(
    of kind: Kind, _ number: Int64, in layout: StoreLayout
  ) throws {
    let fitting = layout.entity(named: kind.destination)?.subtree ?? []
    var wrong = try connection.prepare(
      """
      SELECT entity, reference, record FROM temp.import_link WHERE kind = \
      \(value: .integer(number)) AND entity NOT IN \(.list(fitting)) ORDER BY record LIMIT 1
      """)
    guard try wrong.step() else { return }
    let entity = wrong.integer(at: 0)
    throw ImportError.wrongTarget(
      inputs.reference(kind, to: wrong.text(at: 1), of: wrong.integer(at: 2)),
      entity: layout.entity(numbered: entity)?.name ?? "\(entity)",
      expected: kind.destination)
  }
}
