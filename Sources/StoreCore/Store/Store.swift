import PredicateSQL
import RecordFormats
package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout
import Synchronization

/// An open store: an SQLite connection and the store's metadata.
///
/// A store that is open for reading doesn't change or create files.
package final class Store: Sendable {
  package typealias Access = Database.Access

  package var path: LocalPath { database.path }
  package var access: Access { database.access }
  /// The metadata when the store was opened.
  package let metadata: StoreMetadata
  package let database: Database
  private let opening: DatabaseFile.Opening
  /// The state that the file must still have after each reading, or nil if SQLite locks the file.
  private var stamp: FileStamp? { opening.stamp }
  private let known = Mutex(Known())

  private struct Known {
    /// The layout that requests expect.
    var layout: StoreLayout?
    /// The parts of the layout that the file lacked when the layout was created.
    var gaps: [SchemaGap] = []
    /// Nil if all derived attributes have triggers.
    var derivedValues: DerivedValues?
  }

  /// - Parameters:
  ///   - acceptsFaults: whether to open a store whose metadata can't be read (`StoreMetadata.fault`), for commands that
  ///     don't require a model.
  ///   - acceptsTwins: whether to open a store in which two names look alike but have different bytes, for a
  ///     description of its tables.
  ///   - lockTimeout: the time to wait for a lock of another connection.
  /// - Throws: `DatabaseError`, including `writtenMeanwhile` if writers open and close the store too often;
  ///   `StoreLayoutError.notAStore`, `StoreLayoutError.twinNames`
  package static func open(
    _ path: LocalPath, _ access: Access, acceptsFaults: Bool = false, acceptsTwins: Bool = false,
    lockTimeout: Duration = Database.usualLockTimeout
  ) throws -> Store {
    var file = try DatabaseFile(path)
    if access == .reading { file = try file.settled() }
    for attempt in 1...attempts {
      do {
        if access == .writing { try file.requireWritable() }
        let store = try open(
          file.path, access == .reading ? file.readOnlyOpening : file.writableOpening, access,
          acceptsFaults: acceptsFaults, acceptsTwins: acceptsTwins, lockTimeout: lockTimeout)
        // If a writer has opened or closed the store in the meantime, a reader may have to open it in another way.
        let now = try DatabaseFile(path)
        guard access == .reading, now.readOnlyOpening != file.readOnlyOpening else { return store }
        file = try now.settled()
      } catch {
        let now = try DatabaseFile(path)
        if now.readOnlyOpening != file.readOnlyOpening {
          file = try now.settled()
        } else if access == .reading, attempt < attempts, Self.canResultFromWriter(error) {
          file = try now.afterPause()
        } else {
          throw error
        }
      }
    }
    throw DatabaseError.writtenMeanwhile(path: path)
  }

  private static let attempts = 10

  /// Returns whether opening can have failed because another process removed the `-wal`, or created its index. These
  /// files can look the same before and after.
  private static func canResultFromWriter(_ error: any Error) -> Bool {
    switch error as? DatabaseError {
    case .writtenMeanwhile, .inputOutput: true
    default: false
    }
  }

  /// Opens a store for reading, after rolling back the journal of a crashed transaction.
  ///
  /// - Throws: `DatabaseError`, `StoreLayoutError.notAStore`
  package static func openRecovered(_ path: LocalPath) throws -> Store {
    do {
      return try open(path, .reading)
    } catch DatabaseError.needsRecovery {
      try open(path, .writing).close()
      return try open(path, .reading)
    }
  }

  /// Opens a store that no other process has open, and prevents others from opening it until it is closed.
  ///
  /// - Throws: `DatabaseError.locked` if another process has it open. A process that has a store with a rollback
  ///   journal open, without accessing it, can't be detected.
  package static func openExclusively(_ path: LocalPath) throws -> Store {
    let file = try DatabaseFile(path)
    try file.requireWritable()
    var opening = file.writableOpening
    opening.isExclusive = true
    let store = try open(path, opening, .writing)
    // In exclusive mode, the lock remains after the transaction.
    try store.database.use { connection in
      try connection.run("BEGIN EXCLUSIVE")
      try connection.run("COMMIT")
    }
    return store
  }

  /// Opens a store that doesn't need to survive a crash. Writes don't wait for the disk.
  ///
  /// - Throws: `DatabaseError`, `StoreLayoutError.notAStore`
  package static func openTemporary(
    _ path: LocalPath, lockTimeout: Duration = Database.usualLockTimeout
  ) throws -> Store {
    // `WriteGatheringVFS` would keep writes from other connections until a sync, and this store isn't synced.
    let opening = DatabaseFile.Opening(uri: DatabaseFile.uri(path, ["mode=rw"]))
    let store = try open(path, opening, .writing, lockTimeout: lockTimeout)
    _ = try store.database.use { try $0.run("PRAGMA synchronous = OFF") }
    return store
  }

  /// Closes the store and opens it exclusively.
  ///
  /// - Throws: `DatabaseError.locked` if another process has it open, or has migrated it in the meantime.
  package func reopenedExclusively() throws -> Store {
    try close()
    let store = try Store.openExclusively(path)
    guard store.metadata.hashes.areExactly(metadata.hashes) else {
      throw DatabaseError.locked(path: path)
    }
    return store
  }

  package static func open(
    _ path: LocalPath, _ opening: DatabaseFile.Opening, _ access: Access,
    acceptsFaults: Bool = false, acceptsTwins: Bool = false,
    lockTimeout: Duration = Database.usualLockTimeout
  ) throws -> Store {
    let database: Database
    do {
      database = try connect(opening, path: path, access, lockTimeout: lockTimeout)
    } catch let error as DatabaseError {
      // Opening reads only SQLite's own tables, so such an error means that the file is damaged.
      throw error.asDamage
    }
    let metadata = try database.read { connection in
      do {
        guard try connection.hasTable(FixedTable.metadata) else {
          throw StoreLayoutError.notAStore(path: path)
        }
        if !acceptsTwins { try connection.refuseNameTwins() }
        if access == .writing { try connection.refuseUnsafeWriting() }
        let metadata = try connection.metadata()
        guard let fault = metadata?.fault, !acceptsFaults else { return metadata }
        throw DatabaseError.damaged(
          path: path, message: "the property list in Z_METADATA can't be read: \(fault)")
      } catch let error as DatabaseError {
        throw error.asDamage
      }
    }
    return Store(database, metadata ?? StoreMetadata(uuid: "", entries: [:]), opening)
  }

  private init(
    _ database: Database, _ metadata: StoreMetadata, _ opening: DatabaseFile.Opening
  ) {
    self.opening = opening
    self.database = database
    self.metadata = metadata
  }

  /// Returns whether the next reading sees all committed writes. A store that is read without locks must be opened
  /// again after another process has written to it.
  ///
  /// - Throws: `DatabaseError`
  package func isCurrent() throws -> Bool {
    if opening.seesLaterWrites { return true }
    return try DatabaseFile(path).readOnlyOpening == opening
  }

  /// Runs `body` in a read transaction, which sees one state of the store.
  ///
  /// - Throws: an error of `body`; SQLite's errors as `DatabaseError`, including a statement that `cancellation`
  ///   interrupted.
  package func read<T>(
    cancellation: Cancellation = .ofProcess, _ body: (Connection) throws -> T
  ) throws -> T {
    try database.read(heeding: cancellation) { try reading($0, cancellation, body) }
  }

  /// Runs `body`, which must read with only one statement, without a transaction.
  ///
  /// - Throws: an error of `body`; SQLite's errors as `DatabaseError`.
  package func readOnce<T>(
    cancellation: Cancellation = .ofProcess, _ body: (Connection) throws -> T
  ) throws -> T {
    try database.readOnce(heeding: cancellation) { try reading($0, cancellation, body) }
  }

  private func reading<T>(
    _ connection: Connection, _ cancellation: Cancellation, _ body: (Connection) throws -> T
  ) throws -> T {
    try connection.interrupting(on: cancellation) {
      try mappingErrors(connection) { try unchanged { try body(connection) } }
    }
  }

  /// Reads, and checks whether the file was written in the meantime. Without locks, SQLite doesn't detect such a write,
  /// and can read pages of two states.
  ///
  /// - Throws: `DatabaseError.writtenMeanwhile`, also instead of an error that pages of two states can have caused, in
  ///   SQLite or while decoding values.
  private func unchanged<T>(_ body: () throws -> T) throws -> T {
    guard let stamp else { return try body() }
    let result = Result { try body() }
    // These errors don't depend on the state of the file.
    if case .failure(let error) = result,
      error is Cancelled || error is OutputClosed || error is OutputError
    {
      throw error
    }
    guard FileStamp(of: path) == stamp else { throw DatabaseError.writtenMeanwhile(path: path) }
    return try result.get()
  }

  /// Runs `body`, and closes the store.
  ///
  /// - Throws: an error of `body`; if there is none, an error of closing.
  package func closing<T>(_ body: (Store) throws -> T) throws -> T {
    let result = Result { try body(self) }
    let closing = Result { try close() }
    return try (result.get(), closing.get()).0
  }

  /// Runs `body` in a transaction that holds the write lock from the start. If `body` throws, or `cancellation`
  /// interrupts a statement, the store remains unchanged.
  ///
  /// The derived attributes of the last requested layout are updated.
  ///
  /// - Throws: an error of `body`; SQLite's errors as `DatabaseError`; `StoreLayoutError`, such as `foreignTrigger` and
  ///   `incomplete` for writes that would have wrong results.
  package func write<T>(
    cancellation: Cancellation = .ofProcess, _ body: (Connection) throws -> T
  ) throws -> T {
    try write(lacking: gaps, cancellation) { connection, _ in try body(connection) }
  }

  /// Runs `body` like `write`, for work that also changes tables. `body` must update the derived attributes itself.
  ///
  /// - Parameter gaps: the missing parts that prevent writes.
  package func rewrite<T>(
    lacking gaps: [SchemaGap], cancellation: Cancellation, _ body: (Connection) throws -> T
  ) throws -> T {
    try database.write(heeding: cancellation) { connection in
      try guarding(gaps, cancellation, connection) { _ in try body(connection) }
    }
  }

  /// - Parameter gaps: the missing parts that prevent writes.
  func write<T>(
    lacking gaps: [SchemaGap], _ cancellation: Cancellation,
    _ body: (Connection, WriteGuard) throws -> T
  ) throws -> T {
    try database.write(heeding: cancellation) { connection in
      try guarding(gaps, cancellation, connection) { writeGuard in
        guard let derived = known.withLock(\.derivedValues) else {
          return try body(connection, writeGuard)
        }
        return try derived.keeping(on: connection) { try body(connection, writeGuard) }
      }
    }
  }

  /// Runs work that only writes temporary tables, and rolls it back.
  ///
  /// - Throws: an error of `body`; SQLite's errors as `DatabaseError`.
  package func rolledBack<T>(
    cancellation: Cancellation, _ body: (Connection) throws -> T
  ) throws -> T {
    // A connection for writing doesn't allow temporary tables in a read transaction.
    guard access == .writing else { return try read(cancellation: cancellation, body) }
    return try database.rolledBack(heeding: cancellation) { connection in
      try guarding(gaps, cancellation, connection) { _ in try body(connection) }
    }
  }

  private func guarding<T>(
    _ gaps: [SchemaGap], _ cancellation: Cancellation, _ connection: Connection,
    _ body: (WriteGuard) throws -> T
  ) throws -> T {
    let writeGuard = try connection.writeGuard(for: gaps)
    return try connection.interrupting(on: cancellation) {
      try mappingErrors(connection) { try writeGuard.guarding(connection) { try body(writeGuard) } }
    }
  }

  /// Runs work on the store or on a copy of it. If SQLite rejects a statement because of a defect of the file, throws
  /// an error that describes the defect.
  package func mappingErrors<T: ~Copyable>(_ connection: Connection, _ body: () throws -> T) throws
    -> T
  {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw try blame(for: error, connection) ?? error as any Error
    }
  }

  /// The parts of the last requested layout that are missing in the file. Empty if no layout was requested.
  package var gaps: [SchemaGap] { known.withLock(\.gaps) }

  /// Returns the parts of the last requested layout that are missing in `schema`. They can differ from `gaps`, because
  /// another program can have changed the file.
  func gaps(in schema: StoreSchema) -> [SchemaGap] {
    known.withLock { $0.layout }?.gaps(in: schema, framework: metadata.frameworkVersion) ?? []
  }

  /// Sets the layout that requests expect from now on.
  ///
  /// - Parameter gaps: the parts of the layout that are missing in the file.
  package func note(_ gaps: [SchemaGap], of layout: StoreLayout) {
    let derivedValues = DerivedValues(in: layout, storeUUID: metadata.uuid)
    known.withLock { $0 = Known(layout: layout, gaps: gaps, derivedValues: derivedValues) }
  }

  /// Closes the connection. The store can't be used afterwards.
  ///
  /// - Throws: `DatabaseError`
  package func close() throws {
    try database.close()
  }

  package static func connect(
    _ opening: DatabaseFile.Opening, path: LocalPath, _ access: Access,
    lockTimeout: Duration = Database.usualLockTimeout
  ) throws -> Database {
    ReadAheadVFS.register()
    WriteGatheringVFS.register()
    return try Database(
      uri: opening.uri, path: path, access, lockTimeout: lockTimeout
    ) { connection in
      if opening.isExclusive { try connection.run("PRAGMA locking_mode = EXCLUSIVE") }
      // Makes SQLite use pages directly in the memory of `ReadAheadVFS`, which doesn't map the file.
      if opening.isReadAhead {
        try connection.define(
          "PRAGMA mmap_size = \(value: .integer(Int64(ReadAheadFile.largestPiece)))")
      }
      if access == .reading, opening.isExclusive { try connection.keepLog() }
      let folder = ExternalFolder(path: ExternalFolder.path(beside: path))
      try SQLFunctions.register(on: connection, files: folder.storedBytes)
      // Also for reading, because `explain` compiles writes, including their triggers.
      try connection.registerTriggerFunctions()
      // `WriteGatheringVFS` can buffer writes to the -wal until it is synced, so each commit must be synced before
      // other connections see it. EXTRA adds to FULL the sync of the folder after a rollback journal is deleted.
      // Without it, a power cut can restore the journal, which would roll back a committed transaction. With
      // `fullfsync`, a sync on macOS waits for the disk and not only for its cache. On other systems, both are the
      // same.
      if access == .writing {
        try connection.run("PRAGMA synchronous = EXTRA")
        try connection.run("PRAGMA fullfsync = ON")
      }
    }
  }
}

extension Store {
  /// Opens a second connection to a store that this process has open for writing. Each of its read transactions sees
  /// one committed state. In WAL mode, neither connection waits for the other.
  ///
  /// - Throws: `DatabaseError`
  package static func openReader(
    _ path: LocalPath, lockTimeout: Duration = Database.usualLockTimeout
  ) throws -> Store {
    try open(
      path, DatabaseFile.Opening(uri: DatabaseFile.uri(path, ["mode=ro"])), .reading,
      lockTimeout: lockTimeout)
  }

  /// Returns a number that changes when another connection has written.
  ///
  /// - Throws: `DatabaseError`
  package func dataVersion() throws -> Int64 {
    try database.use { try $0.integer("PRAGMA data_version") }
  }
}
