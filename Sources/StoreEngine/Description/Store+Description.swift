extension Store {
  /// Reads everything about the store that does not need a model. Counting visits every row.
  ///
  /// - Throws: `StoreError`
  package static func describe(_ path: String) throws -> StoreDescription {
    let file = try StoreFile(path)
    let store = try Store.open(path, .reading)
    do {
      return try store.read { try StoreDescription(file: file, $0) }
    } catch let error as StoreError {
      throw error.asDamage
    }
  }
}

extension StoreDescription {
  fileprivate init(file: StoreFile, _ connection: Connection) throws(StoreError) {
    self.file = file
    pages = try Pages(connection)
    metadata = try connection.metadata()
    let tables = try connection.tableNames()
    let keys = try connection.primaryKeys().filter { $0.number < HistoryFacts.firstNumber }
    let census = try EntityCensus(
      keys, tables: tables, hashes: metadata?.hashes ?? [:], connection)
    entities = census.entities
    joinTables = try tables.filter(\.isJoinTable).map(connection.facts)
    let known = Set(entities.compactMap(\.table) + joinTables.map(\.name))
      .union(SchemaSnapshot.ownTables)
    otherTables = try tables.filter { !known.contains($0) && !$0.hasPrefix("sqlite_") }
      .map(connection.facts)
    triggers = try connection.triggerNames()
    indexCount = try connection.integer(
      "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND sql NOT NULL")
    history = try HistoryFacts(connection, tables: tables)
    modelCacheBytes =
      tables.contains(FixedTable.modelCache)
      ? try connection.integer("SELECT ifnull(sum(length(Z_CONTENT)), 0) FROM Z_MODELCACHE") : nil
    externalFolder = file.externalFolder
    remarks = []
    remarks = fileRemarks + metadataRemarks + census.remarks
  }
}

extension StoreDescription.Pages {
  fileprivate init(_ connection: Connection) throws(StoreError) {
    size = try connection.integer("PRAGMA page_size")
    count = try connection.integer("PRAGMA page_count")
    freeCount = try connection.integer("PRAGMA freelist_count")
    autoVacuum = try connection.integer("PRAGMA auto_vacuum")
    var statement = try connection.prepare("PRAGMA encoding")
    encoding = try statement.step() ? statement.text(at: 0) : ""
  }
}

extension StoreDescription.HistoryFacts {
  /// History's entities are numbered from here on in `Z_PRIMARYKEY`.
  fileprivate static let firstNumber: Int64 = 16001

  fileprivate init?(_ connection: Connection, tables: [String]) throws(StoreError) {
    guard tables.contains(HistoryTable.changes) else { return nil }
    func count(_ table: String) throws(StoreError) -> Int64 {
      tables.contains(table) ? try connection.facts(table).rowCount : 0
    }
    changes = try count(HistoryTable.changes)
    transactions = try count(HistoryTable.transactions)
    strings = try count(HistoryTable.strings)
  }
}

extension Connection {
  fileprivate func tableNames() throws(StoreError) -> [String] {
    var statement = try prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    var names: [String] = []
    while try statement.step() { names.append(statement.text(at: 0)) }
    return names
  }

  fileprivate func facts(_ table: String) throws(StoreError) -> StoreDescription.TableFacts {
    .init(name: table, rowCount: try integer("SELECT count(*) FROM \(name: table)"))
  }
}

extension String {
  /// `Z_<number><NAME>`
  fileprivate var isJoinTable: Bool {
    hasPrefix("Z_") && dropFirst(2).first.map { $0.isASCII && $0.isNumber } == true
  }
}

extension StoreFile {
  /// Where Core Data keeps values that are too large for a row: `.NAME_SUPPORT` beside the store.
  fileprivate var externalFolder: String? {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let name = parts.popLast() else { return nil }
    let base = name.split(separator: ".").dropLast().joined(separator: ".")
    let folder = (parts + [".\(base.isEmpty ? name : base)_SUPPORT"]).joined(separator: "/")
    return Self.size(of: folder) == nil ? nil : folder
  }
}
