package import SQLiteAccess
package import StoreLayout
package import StoreModel

/// Writes the persistent history of a write transaction, which the store's apps read.
///
/// Each request creates a recorder. The recorders of a transaction share its `HistorySession`. A call records a set of
/// rows with few statements, regardless of the number of rows. If the store has no history, calls have no effect.
/// Insertions are recorded after the rows are inserted. Updates and deletions are recorded *before* their statement
/// runs, because a condition might not find the rows afterwards. `finish` is the last call.
///
/// A row has one change per request, as in a transaction of Core Data. Several updates of a row become one update with
/// all properties. Updates of a row that the request inserted are ignored. The caller must not record a deleted row as
/// updated.
package final class ChangeRecorder {
  package let connection: Connection
  private let layout: StoreLayout
  private let format: HistoryFormat?
  private let session: HistorySession
  /// Nil before the first change.
  private var keys: Keys?
  /// The highest key before the insertions, by entity number.
  private var lastOldKeys: [Int64: Int64] = [:]
  /// The distinct lists of updated properties. The column `batch` of the temporary table `history_update` contains
  /// their indices.
  private var batches: [[String]] = []

  /// - Throws: `DatabaseError`
  package init(
    in layout: StoreLayout, on connection: Connection, session: HistorySession = HistorySession()
  ) throws {
    self.layout = layout
    self.connection = connection
    self.session = session
    format = try HistoryFormat(connection)
  }

  private struct Keys {
    var transaction: Int64
    /// The highest key of a change.
    var change: Int64
    /// The number of written changes.
    var count = 0
  }

  /// Whether the store has a history.
  package var isOn: Bool { format != nil }

  /// Records the rows of the entity whose keys are greater than `key` as inserted, without rows of subentities.
  package func recordInserts(into entity: EntityLayout, after key: Int64) throws(DatabaseError) {
    guard isOn else { return }
    lastOldKeys[entity.number] = key
    try append(
      .insert,
      from: """
        SELECT \(name: FixedColumn.entity) AS entity, \(name: FixedColumn.primaryKey) AS key \
        FROM \(name: entity.table) WHERE \(name: FixedColumn.primaryKey) > \
        \(value: .integer(key)) AND \(name: FixedColumn.entity) = \
        \(value: .integer(entity.number))
        """)
  }

  /// Records rows as updated.
  ///
  /// - Parameters:
  ///   - rows: a SELECT of `Z_ENT` and `Z_PK`, which can contain duplicates.
  ///   - properties: the changed attributes and relationships. A row's entity doesn't need to have all of them.
  package func recordUpdates(of rows: SQL, properties: [String]) throws(DatabaseError) {
    guard isOn else { return }
    if batches.isEmpty {
      try connection.run("DROP TABLE IF EXISTS temp.history_update")
      try connection.run(
        "CREATE TEMP TABLE history_update (entity INTEGER, key INTEGER, batch INTEGER)")
    }
    let number = batches.firstIndex(of: properties) ?? batches.count
    if number == batches.count { batches.append(properties) }
    try connection.run(
      """
      INSERT INTO temp.history_update (batch, entity, key) \
      SELECT \(value: .integer(Int64(number))), * FROM (\(rows))
      """)
  }

  /// Records rows of a table as deleted, with the values of the attributes that the model preserves after deletion.
  ///
  /// - Parameter condition: a condition on the table's columns, or nil for all rows.
  package func recordDeletes(
    from table: String, where condition: SQL? = nil
  ) throws(DatabaseError) {
    guard let format else { return }
    let tombstones = layout.tombstones(in: table).prefix(format.tombstoneCount)
    let values = tombstones.enumerated().map { index, value -> SQL in
      ", \(value) AS \(name: HistoryColumn.tombstone(index))"
    }.joined("")
    try append(
      .delete, columns: tombstones.indices.map(HistoryColumn.tombstone),
      from: """
        SELECT \(name: FixedColumn.entity) AS entity, \(name: FixedColumn.primaryKey) AS key\
        \(values) FROM \(name: table) WHERE \(condition ?? "TRUE")
        """)
  }

  /// Writes the updates, the transaction and the counters, unless nothing has changed.
  package func finish() throws(DatabaseError) {
    guard let format else { return }
    try appendUpdates()
    guard let keys, keys.count > 0 else { return }
    if session.transactionKey == nil {
      try connection.writeTransaction(keys.transaction, session.origin, format)
      session.transactionKey = keys.transaction
    }
    try connection.raiseHistoryCounter(of: .change, to: keys.change)
    self.keys = nil
  }

  /// Inserts a row into `ACHANGE` for each row of a SELECT of `entity`, `key` and the named columns.
  private func append(
    _ kind: ChangeKind, columns: [String] = [], from rows: SQL
  ) throws(DatabaseError) {
    if keys == nil { keys = try firstKeys() }
    guard var keys else { return }
    let more = columns.map { name -> SQL in ", \(name: name)" }.joined("")
    let names = [
      FixedColumn.primaryKey, FixedColumn.entity, HistoryColumn.kind, HistoryColumn.transaction,
      HistoryColumn.entity, HistoryColumn.key,
    ]
    let count = try connection.run(
      """
      INSERT INTO \(name: HistoryTable.changes) (\(names.map(SQL.name).joined(", "))\(more)) \
      SELECT \(value: .integer(keys.change)) + row_number() OVER (), \
      \(value: .integer(HistoryEntity.change.rawValue)), \(value: .integer(kind.rawValue)), \
      \(value: .integer(keys.transaction)), entity, key\(more) FROM (\(rows))
      """)
    keys.change += Int64(count)
    keys.count += count
    self.keys = keys
  }

  private func firstKeys() throws(DatabaseError) -> Keys {
    let change = try connection.highestHistoryKey(of: .change)
    if let key = session.transactionKey { return Keys(transaction: key, change: change) }
    return Keys(
      transaction: try connection.highestHistoryKey(of: .transaction) + 1, change: change)
  }

  /// Writes one change for each updated row. Bit masks are computed for each combination of property lists, not for
  /// each row, because there are few combinations.
  private func appendUpdates() throws(DatabaseError) {
    guard !batches.isEmpty else { return }
    let new = lastOldKeys.sorted { $0.key < $1.key }.map { entity, key -> SQL in
      " AND NOT (entity = \(value: .integer(entity)) AND key > \(value: .integer(key)))"
    }.joined("")
    try connection.run("DROP TABLE IF EXISTS temp.history_row")
    try connection.run("DROP TABLE IF EXISTS temp.history_mask")
    try connection.run(
      "CREATE TEMP TABLE history_row (entity INTEGER, key INTEGER, batches TEXT)")
    try connection.run(
      """
      INSERT INTO temp.history_row SELECT entity, key, group_concat(batch) \
      FROM (SELECT DISTINCT entity, key, batch FROM temp.history_update \
      WHERE TRUE\(new) ORDER BY entity, key, batch) GROUP BY entity, key
      """)
    try connection.run(
      """
      CREATE TEMP TABLE history_mask (entity INTEGER, batches TEXT, mask BLOB, \
      PRIMARY KEY (entity, batches))
      """)
    for row in try connection.rows("SELECT DISTINCT entity, batches FROM temp.history_row") {
      guard case .integer(let number) = row[0], case .text(let list) = row[1] else { continue }
      let properties = list.split(separator: ",").compactMap { Int($0) }.flatMap { batches[$0] }
      try connection.run(
        """
        INSERT INTO temp.history_mask VALUES (\(value: row[0]), \(value: row[1]), \
        \(value: .blob(layout.changedProperties(of: number).mask(of: properties))))
        """)
    }
    try append(
      .update, columns: [HistoryColumn.mask],
      from: """
        SELECT r.entity, r.key, m.mask AS \(name: HistoryColumn.mask) \
        FROM temp.history_row AS r JOIN temp.history_mask AS m USING (entity, batches) \
        ORDER BY r.entity, r.key
        """)
    for table in ["history_update", "history_row", "history_mask"] {
      try connection.run("DROP TABLE temp.\(name: table)")
    }
    batches = []
  }
}

extension SQL {
  /// Returns the assignments of NULL to the columns.
  package static func clearing(_ columns: [String?]) -> SQL {
    columns.compactMap(\.self).map { "\(name: $0) = NULL" as SQL }.joined(", ")
  }

  /// Returns a SELECT of `Z_ENT` and `Z_PK` for `recordUpdates`.
  package static func entitiesAndKeys(of table: String, where condition: SQL) -> SQL {
    """
    SELECT \(name: FixedColumn.entity), \(name: FixedColumn.primaryKey) FROM \(name: table) \
    WHERE \(condition)
    """
  }
}

extension StoreLayout {
  /// Returns the properties of the entity with a number. The result is empty if the number is unknown.
  package func changedProperties(of number: Int64) -> ChangedProperties {
    guard let name = entity(numbered: number)?.name, let entity = model.entity(named: name) else {
      return ChangedProperties(of: EntityDescription(name: ""), in: model)
    }
    return ChangedProperties(of: entity, in: model)
  }

  /// Returns the attributes whose values are in the tombstone columns of deleted rows, in the order of the columns.
  package func preservedAttributes(of place: EntityLayout) -> [String] {
    guard let entity = model.entity(named: place.name) else { return [] }
    let owners = model.ancestors(of: entity).reversed() + [entity]
    return owners.flatMap { owner in
      owner.attributes.filter { $0.isPreservedAfterDeletion && !$0.isTransient }.map(\.name)
        .sorted { $0.precedes($1) }
    }.filter { place.attributes[$0] != nil }
  }

  /// The number of tombstone columns that the model requires.
  package var tombstoneCount: Int { entities.map { preservedAttributes(of: $0).count }.max() ?? 0 }

  /// Returns an expression for each tombstone column, whose value depends on the entity of the row. The attributes of
  /// the root entity are first. The attributes of one entity are sorted by name.
  fileprivate func tombstones(in table: String) -> [SQL] {
    var cases: [[SQL]] = []
    for place in entities(in: table) where !place.isAbstract {
      let names = preservedAttributes(of: place)
      for (index, column) in names.compactMap({ place.attributes[$0]?.column }).enumerated() {
        if index == cases.count { cases.append([]) }
        cases[index].append(" WHEN \(value: .integer(place.number)) THEN \(name: column)")
      }
    }
    return cases.map { "CASE \(name: FixedColumn.entity)\($0.joined("")) END" }
  }
}

/// The type of a change, as a number in the column `ZCHANGETYPE`.
package enum ChangeKind: Int64, CaseIterable, Sendable {
  case insert = 0
  case update = 1
  case delete = 2

  package var name: String { "\(self)" }
}

/// The properties of an entity in the order of their numbers in `ZCOLUMNS` (docs/formats/history.md): all properties by
/// name, including inherited and transient ones.
package struct ChangedProperties: Hashable, Sendable {
  package let names: [String]

  package init(of entity: EntityDescription, in model: DataModel) {
    let all =
      model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name)
    names = all.sorted { $0.precedes($1) }
  }

  /// Returns the bit mask of properties. Bit 0 is the highest bit of byte 0.
  package func mask(of properties: some Sequence<String>) -> [UInt8] {
    var mask = [UInt8](repeating: 0, count: (names.count + 7) / 8)
    for property in properties {
      // A composite changes with each of its elements, such as `place.street`.
      let name = property.prefix { $0 != "." }
      guard let bit = names.firstIndex(where: { $0 == name }) else { continue }
      mask[bit / 8] |= 0x80 >> UInt8(bit % 8)
    }
    return mask
  }

  /// Returns the properties of a mask. Bits after the last property, which occur in real stores, are ignored.
  package func properties(in mask: [UInt8]) -> [String] {
    names.enumerated().filter { bit, _ in
      bit / 8 < mask.count && mask[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0
    }.map(\.element)
  }
}

/// The transaction of the persistent history that contains the changes of all requests in a write transaction.
package final class HistorySession {
  let origin: HistoryOrigin
  /// The key of its row in `ATRANSACTION`, or nil until that is written.
  var transactionKey: Int64?

  package init(_ origin: HistoryOrigin = .storetool) {
    self.origin = origin
  }
}
