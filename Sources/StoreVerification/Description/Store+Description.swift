import SQLiteAccess
package import StoreCore
package import StoreDiagnostics
import StoreLayout

extension Store {
  /// Reads all information about the store that doesn't require a model. This is slow for
  /// a large store, because it counts the rows of all tables.
  ///
  /// - Throws: `DatabaseError`, `StoreLayoutError.notAStore`
  package static func describe(
    _ path: LocalPath, cancellation: Cancellation = .ofProcess
  ) throws -> StoreDescription {
    let file = try DatabaseFile(path)
    let store = try Store.open(path, .reading, acceptsFaults: true, acceptsTwins: true)
    do {
      return try store.read(cancellation: cancellation) { try store.describe(file, on: $0) }
    } catch let error as DatabaseError {
      throw error.asDamage
    }
  }

  /// Reads all information about the store that doesn't require a model, in a read transaction.
  ///
  /// - Parameter file: the file of the store.
  /// - Throws: `DatabaseError`
  func describe(_ file: DatabaseFile, on connection: Connection) throws -> StoreDescription {
    try StoreDescription(file: file, findings: findings(in: nil, connection), connection)
  }
}

extension StoreDescription {
  fileprivate init(
    file: DatabaseFile, findings: [StoreFinding], _ connection: Connection
  ) throws(DatabaseError) {
    self.file = file
    pages = try Pages(connection)
    metadata = try connection.metadata()
    let schema = try connection.schema()
    // Different names can be equal as `String` values, so they are sorted by their bytes.
    let tables = schema.database.tables.keys.map { ExactText($0) }.sorted().map(\.text)
    let keys = schema.primaryKeys.filter { $0.number < HistoryEntity.first }
    entities = try Self.entities(of: keys, schema, hashes: metadata?.hashes ?? [:], connection)
    joinTables = try tables.filter(\.isJoinTable).map(connection.facts)
    let known =
      (entities.compactMap(\.table) + joinTables.map(\.name) + SchemaSnapshot.ownTables
      + schema.database.rTreeTableNames).exact
    otherTables =
      try tables.filter { !known.contains(ExactText($0)) && !$0.hasPrefix("sqlite_") }
      .map(connection.facts)
      + connection.readableVirtualTables(of: schema.database, besides: known)
    triggers = schema.database.triggers.map(\.name)
    derivationTriggerCount = schema.database.triggers.count(where: \.isOfDerivation)
    foreignTriggers = schema.database.triggers.foreign.map { "\($0.name) on \($0.table)" }
    indexCount = Int64(
      schema.database.tables.values.flatMap(\.indexes).count { $0.definition != nil })
    history = try HistoryFacts(connection, tables: tables)
    modelCacheBytes =
      schema.hasColumn(FixedColumn.content, in: FixedTable.modelCache)
      ? try connection.integer(
        """
        SELECT ifnull(sum(length(\(name: FixedColumn.content))), 0) \
        FROM \(name: FixedTable.modelCache)
        """) : nil
    externalFolder = file.externalFolder
    self.findings = findings
    remarks = []
    remarks = fileRemarks + metadataRemarks
  }
}

extension StoreDescription.Pages {
  fileprivate init(_ connection: Connection) throws(DatabaseError) {
    size = try connection.integer("PRAGMA page_size")
    count = try connection.integer("PRAGMA page_count")
    freeCount = try connection.integer("PRAGMA freelist_count")
    autoVacuum = try connection.integer("PRAGMA auto_vacuum")
    encoding = try connection.rows("PRAGMA encoding").first?.first?.text ?? ""
  }
}

extension StoreDescription.HistoryFacts {
  fileprivate init?(_ connection: Connection, tables: [String]) throws(DatabaseError) {
    guard tables.contains(HistoryTable.changes) else { return nil }
    func count(_ table: String) throws(DatabaseError) -> Int64 {
      tables.contains(table) ? try connection.facts(table).rowCount : 0
    }
    changes = try count(HistoryTable.changes)
    transactions = try count(HistoryTable.transactions)
    strings = try count(HistoryTable.strings)
  }
}

extension Connection {
  fileprivate func facts(_ table: String) throws(DatabaseError) -> StoreDescription.TableFacts {
    .init(name: table, rowCount: try integer("SELECT count(*) FROM \(name: table)"))
  }

  /// Returns the virtual tables that Core Data didn't create. Tables that SQLite can't read completely are omitted.
  fileprivate func readableVirtualTables(
    of schema: DatabaseSchema, besides known: Set<ExactText>
  ) throws(DatabaseError) -> [StoreDescription.TableFacts] {
    var readable: [StoreDescription.TableFacts] = []
    for name in schema.virtualTables.keys.map({ ExactText($0) })
      .filter({ !known.contains($0) }).sorted().map(\.text)
    {
      do throws(DatabaseError) {
        readable.append(try facts(name))
      } catch {
        guard error.words != nil else { throw error }
      }
    }
    return readable
  }
}

extension String {
  /// Whether this is the name of a join table: `Z_` and a digit, as in `Z_2ARTWORKS`.
  fileprivate var isJoinTable: Bool {
    hasPrefix("Z_") && dropFirst(2).first.map { $0.isASCII && $0.isNumber } == true
  }
}

extension DatabaseFile {
  /// The folder `.NAME_SUPPORT` next to the store, where Core Data stores large values in `_EXTERNAL_DATA`; nil if it
  /// doesn't exist.
  fileprivate var externalFolder: LocalPath? {
    let file = path.followed
    let folder: LocalPath = "\(file.folder).\(file.base)_SUPPORT"
    return Self.size(of: folder) == nil ? nil : folder
  }
}

extension StoreDescription {
  /// Returns the entities in `Z_PRIMARYKEY` with the numbers of their rows.
  fileprivate static func entities(
    of keys: [PrimaryKeyRow], _ schema: StoreSchema, hashes: [String: [UInt8]],
    _ connection: Connection
  ) throws(DatabaseError) -> [EntityFacts] {
    var entities: [EntityFacts] = []
    let roots = Self.roots(of: keys)
    let trees = Dictionary(grouping: keys) { roots[$0.number] }
    for root in keys where roots[root.number] == root.number {
      let members = trees[root.number, default: []]
      let name = "Z\(root.name.uppercased())"
      let table = schema.gaps(ofRowsIn: name, of: root.name).isEmpty ? name : nil
      let counts = try table.map(connection.rowCounts) ?? [:]
      entities += members.map {
        EntityFacts(
          number: $0.number, name: $0.name, parentNumber: $0.parentNumber, table: table,
          rowCount: counts[$0.number] ?? 0, highestKey: $0.highestKey, hash: hashes[$0.name])
      }
    }
    return entities.sorted { $0.number < $1.number }
  }

  /// Returns the number of each entity's root entity, by the entity's number.
  private static func roots(of keys: [PrimaryKeyRow]) -> [Int64: Int64] {
    let byNumber = Dictionary(keys.map { ($0.number, $0) }) { first, _ in first }
    return byNumber.mapValues { key in
      var found = key
      // The number of steps is limited, because the parents in a damaged store may form a cycle.
      for _ in keys {
        guard let parent = byNumber[found.parentNumber] else { break }
        found = parent
      }
      return found.number
    }
  }
}

extension Connection {
  /// Counts the rows of a table by `Z_ENT` in one pass.
  fileprivate func rowCounts(of table: String) throws(DatabaseError) -> [Int64: Int64] {
    var statement = try prepare(
      "SELECT \(name: FixedColumn.entity), count(*) FROM \(name: table) GROUP BY 1")
    var counts: [Int64: Int64] = [:]
    // `integer` returns 0 for NULL.
    while try statement.step() {
      counts[statement.integer(at: 0), default: 0] += statement.integer(at: 1)
    }
    return counts
  }
}
