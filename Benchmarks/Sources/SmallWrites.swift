import Foundation
import GRDB
import StoreEngine

/// Compares writes of few rows with GRDB's `DatabasePool`, in turns. GRDB also runs the statements that Core Data's
/// layout requires: the next key in `Z_PRIMARYKEY` and the version of a row in `Z_OPT`.
struct SmallWrites {
  private static let turns = 5
  private static let repetitions = 500
  private let store: PersistentStore
  private let pool: DatabasePool

  static func run(_ rows: Int) async throws {
    let errands = try await ErrandStore(rows)
    defer { try? errands.remove() }
    let store = try await errands.open()
    let pool = try DatabasePool(path: errands.path)
    // Both wait for the disk at each commit. A `DatabasePool` doesn't by default.
    try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    print("\(rows) rows".padded(32), "   ours µs   GRDB µs   CPU: ours   GRDB   ratio   limit")
    let benchmark = SmallWrites(store: store, pool: pool)
    var key = Int64(rows / 2)
    for work in Work.allCases { try await benchmark.time(work, from: &key) }
    try pool.close()
    try await store.close()
  }

  // MARK: Work

  /// Work that both libraries do.
  private enum Work: CaseIterable {
    case nothing
    case insert
    case update
    case delete
    case several
    case observe

    var name: String {
      switch self {
      case .nothing: "an empty transaction"
      case .insert: "insert one row"
      case .update: "update one row"
      case .delete: "delete one row"
      case .several: "seven writes in a transaction"
      case .observe: "one row changes until observed"
      }
    }

    var limit: Double {
      switch self {
      case .nothing: 1.1
      case .insert, .update, .delete: 1.2
      case .several: 1.5
      case .observe: 1
      }
    }
  }

  /// Runs the work of both libraries with the same numbers of rows.
  ///
  /// - Parameter key: The first row. It is increased, because some work deletes its rows.
  private func time(_ work: Work, from key: inout Int64) async throws {
    var (ours, theirs, ratios) = (Samples(), Samples(), Samples())
    var (ourCPU, theirCPU) = (Samples(), Samples())
    for turn in 0...Self.turns {
      let keys = (0..<Self.repetitions).map { key + Int64($0 * 4) }
      key += Int64(Self.repetitions * 4)
      let mine = try await Cost.of { try await run(work, keys) }
      let other = try await Cost.of { try await runGRDB(work, keys.map { $0 + 2 }) }
      // The first turn is a warm-up.
      guard turn > 0 else { continue }
      let each = 1_000 / Double(Self.repetitions)
      ours.append(mine.wall * each)
      theirs.append(other.wall * each)
      ourCPU.append(mine.cpu * each)
      theirCPU.append(other.cpu * each)
      ratios.append(mine.cpu / other.cpu)
    }
    print(
      work.name.padded(32), ours.median.digits(0, width: 10), theirs.median.digits(0, width: 9),
      ourCPU.median.digits(0, width: 11), theirCPU.median.digits(0, width: 6),
      ratios.median.digits(2, width: 7), work.limit.digits(1, width: 7))
  }

  private func errand(_ number: Int64) -> Errand {
    Errand(done: false, name: "water the plants \(number)", priority: 1)
  }

  private func run(_ work: Work, _ keys: [Int64]) async throws {
    switch work {
    case .nothing:
      for _ in keys { try await store.transaction { _ in } }
    case .insert:
      for key in keys { try await store.create(errand(key)) }
    case .update:
      for key in keys {
        try await store.update(TypedObjectID<Errand>(primaryKey: key)) { $0.priority = 9 }
      }
    case .delete:
      for key in keys { try await store.delete(TypedObjectID<Errand>(primaryKey: key)) }
    case .several:
      for key in keys {
        try await store.transaction { transaction in
          for number in 0..<3 { try transaction.create(errand(key + Int64(number))) }
          for number in 0..<3 {
            let id = TypedObjectID<Errand>(primaryKey: key - Int64(number) - 100_000)
            try transaction.update(id) { $0.priority = 9 }
          }
          try transaction.delete(TypedObjectID<Errand>(primaryKey: key))
        }
      }
    case .observe:
      guard let first = keys.first else { return }
      let id = TypedObjectID<Errand>(primaryKey: first)
      var values = store.values(of: id).makeAsyncIterator()
      _ = try await values.next()
      for number in keys.indices {
        try await store.update(id) { $0.note = "round \(number)" }
        _ = try await values.next()
      }
    }
  }

  // MARK: GRDB

  private func runGRDB(_ work: Work, _ keys: [Int64]) async throws {
    switch work {
    case .nothing:
      for _ in keys { try await pool.write { _ in } }
    case .insert:
      for key in keys { try await pool.write { try Self.insert(errand(key), in: $0) } }
    case .update:
      for key in keys { try await pool.write { try Self.update(key, in: $0) } }
    case .delete:
      for key in keys { try await pool.write { try Self.delete(key, in: $0) } }
    case .several:
      for key in keys {
        try await pool.write { database in
          for number in 0..<3 { try Self.insert(errand(key + Int64(number)), in: database) }
          for number in 0..<3 { try Self.update(key - Int64(number) - 100_000, in: database) }
          try Self.delete(key, in: database)
        }
      }
    case .observe:
      guard let key = keys.first else { return }
      let columns = "Z_PK, ZCREATEDAT, ZDONE, ZNAME, ZNOTE, ZPRIORITY"
      let observation = ValueObservation.tracking(region: Table("ZERRAND")) { database in
        let sql = "SELECT \(columns) FROM ZERRAND WHERE Z_PK = ?"
        return try ErrandByPosition.fetchOne(database.cachedStatement(sql: sql), arguments: [key])?
          .note
      }
      var values = observation.values(in: pool).makeAsyncIterator()
      _ = try await values.next()
      for number in keys.indices {
        try await pool.write { database in
          let sql = "UPDATE ZERRAND SET ZNOTE = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?"
          try database.cachedStatement(sql: sql).execute(arguments: ["round \(number)", key])
        }
        _ = try await values.next()
      }
    }
  }

  private static func insert(_ errand: Errand, in database: Database) throws {
    let next = "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_ENT = 1 RETURNING Z_MAX"
    let key = try Int64.fetchOne(database.cachedStatement(sql: next))
    let sql = """
      INSERT INTO ZERRAND (Z_PK, Z_ENT, Z_OPT, ZCREATEDAT, ZDONE, ZNAME, ZNOTE, ZPRIORITY)
      VALUES (?, 1, 1, ?, ?, ?, ?, ?)
      """
    try database.cachedStatement(sql: sql).execute(
      arguments: [
        key, errand.createdAt?.timeIntervalSinceReferenceDate, errand.done, errand.name,
        errand.note, errand.priority,
      ])
  }

  private static func update(_ key: Int64, in database: Database) throws {
    let sql = "UPDATE ZERRAND SET ZPRIORITY = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?"
    try database.cachedStatement(sql: sql).execute(arguments: [9, key])
  }

  private static func delete(_ key: Int64, in database: Database) throws {
    let sql = "DELETE FROM ZERRAND WHERE Z_PK = ?"
    try database.cachedStatement(sql: sql).execute(arguments: [key])
  }
}
