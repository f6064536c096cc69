import PredicateSQL
import RecordFormats
package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout
import Synchronization

/// An open store: one SQLite connection, and what the store says of itself.
///
/// A store that is open for reading leaves every file as it is and makes none.
package final class Store: Sendable {
  package typealias Access = Database.Access

  package var path: FilePath { database.path }
  package var access: Access { database.access }
  /// As it was when the store was opened.
  package let metadata: StoreMetadata
  package let database: Database
  /// What the file must still have after each reading; nil where SQLite locks the file.
  private let stamp: FileStamp?
  private let known = Mutex(Known())

  private struct Known {
    /// What requests expect of the file.
    var layout: StoreLayout?
    /// What it lacked of that when the layout was worked out.
    var gaps: [SchemaGap] = []
    /// Nil where all derived attributes have triggers.
    var derivedValues: DerivedValues?
  }

  /// - Parameters:
  ///   - acceptsFaults: also where the metadata can't be read (`StoreMetadata.fault`): for what needs no model.
  ///   - acceptsTwins: Whether a store opens in which two names look alike, for a description of its tables.
  ///   - lockTimeout: how long a lock that another connection holds is waited for.
  /// - Throws: `DatabaseError`, `writtenMeanwhile` where writers come and go too often among them;
  ///   `StoreLayoutError.notAStore`, `StoreLayoutError.twinNames`
  package static func open(
    _ path: FilePath, _ access: Access, acceptsFaults: Bool = false, acceptsTwins: Bool = false,
    lockTimeout: Duration = Database.usualLockTimeout
  ) throws -> Store {
    var file = try DatabaseFile(path)
    if access == .reading { file = try file.settled() }
    for _ in 1...attempts {
      do {
        if access == .writing { try file.requireWritable() }
        let store = try open(
          file.path, access == .reading ? file.readOnlyOpening : file.writableOpening, access,
          acceptsFaults: acceptsFaults, acceptsTwins: acceptsTwins, lockTimeout: lockTimeout)
        // A writer may have come or gone meanwhile, and with it the way in which to read.
        let now = try DatabaseFile(path)
        guard access == .reading, now.readOnlyOpening != file.readOnlyOpening else { return store }
        file = try now.settled()
      } catch {
        let now = try DatabaseFile(path)
        guard now.readOnlyOpening != file.readOnlyOpening else { throw error }
        file = try now.settled()
      }
    }
    throw DatabaseError.writtenMeanwhile(path: path)
  }

  private static let attempts = 4

  /// Opens a store that nothing else has open, and lets nothing else open it until it is closed.
  ///
  /// - Throws: `DatabaseError.locked` where another process has it open. Of one that has a store with a
  ///   rollback journal open, but is not at work on it, nothing can be known.
  package static func openExclusively(_ path: FilePath) throws -> Store {
    let file = try DatabaseFile(path)
    try file.requireWritable()
    var opening = file.writableOpening
    opening.isExclusive = true
    let store = try open(path, opening, .writing)
    // In exclusive mode the lock outlives the transaction that takes it.
    try store.database.use { connection in
      try connection.run("BEGIN EXCLUSIVE")
      try connection.run("COMMIT")
    }
    return store
  }

  /// Closes the store, which reading may have shared with others, and opens it alone.
  ///
  /// - Throws: `DatabaseError.locked` where another process has it open, or has migrated it in between.
  package func reopenedExclusively() throws -> Store {
    try close()
    let store = try Store.openExclusively(path)
    guard store.metadata.hashes.areExactly(metadata.hashes) else {
      throw DatabaseError.locked(path: path)
    }
    return store
  }

  package static func open(
    _ path: FilePath, _ opening: DatabaseFile.Opening, _ access: Access,
    acceptsFaults: Bool = false, acceptsTwins: Bool = false,
    lockTimeout: Duration = Database.usualLockTimeout
  ) throws -> Store {
    let database: Database
    do {
      database = try connect(opening, path: path, access, lockTimeout: lockTimeout)
    } catch let error as DatabaseError {
      // So far only SQLite's own questions were asked.
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
    return Store(
      database, metadata ?? StoreMetadata(uuid: "", entries: [:]), stamp: opening.stamp)
  }

  private init(_ database: Database, _ metadata: StoreMetadata, stamp: FileStamp?) {
    self.stamp = stamp
    self.database = database
    self.metadata = metadata
  }

  /// Runs `body` in a read transaction: it sees one state of the store.
  ///
  /// - Throws: what `body` throws; SQLite's errors as `DatabaseError`, that of a statement which
  ///   `cancellation` has ended among them.
  package func read<T>(
    cancellation: Cancellation = .ofProcess, _ body: (Connection) throws -> T
  ) throws -> T {
    try database.read(heeding: cancellation) { connection in
      try connection.interrupting(on: cancellation) {
        try mappingErrors(connection) { try unchanged { try body(connection) } }
      }
    }
  }

  /// Runs `body`, which reads with one statement.
  ///
  /// - Throws: as `read`.
  package func readOnce<T>(
    cancellation: Cancellation = .ofProcess, _ body: (Connection) throws -> T
  ) throws -> T {
    try database.readOnce(heeding: cancellation) { connection in
      try connection.interrupting(on: cancellation) {
        try mappingErrors(connection) { try unchanged { try body(connection) } }
      }
    }
  }

  /// Reads, and finds out whether the file was written meanwhile: without locks SQLite doesn't notice that, and pages of
  /// two states may have come together.
  ///
  /// - Throws: `DatabaseError.writtenMeanwhile`, also in place of an error that torn pages may have caused, in SQLite or
  ///   where values are decoded.
  private func unchanged<T>(_ body: () throws -> T) throws -> T {
    guard let stamp else { return try body() }
    let result = Result { try body() }
    // What the reader of the output or the user wants holds for any state of the file.
    if case .failure(let error) = result,
      error is Cancelled || error is OutputClosed || error is OutputError
    {
      throw error
    }
    guard FileStamp(of: path) == stamp else { throw DatabaseError.writtenMeanwhile(path: path) }
    return try result.get()
  }

  /// Runs `body` in one transaction that holds the write lock from its start. When `body` throws,
  /// or `cancellation` ends one of its statements, the store stays as it was.
  ///
  /// Derived attributes of the layout that was asked for last are kept.
  ///
  /// - Throws: what `body` throws; SQLite's errors as `DatabaseError`, `foreignTrigger` and `incomplete` for writes that
  ///   would go wrong unnoticed among them.
  package func write<T>(
    cancellation: Cancellation = .ofProcess, _ body: (Connection) throws -> T
  ) throws -> T {
    try write(lacking: gaps, cancellation) { connection, _ in try body(connection) }
  }

  /// Runs `body` as `write` does, for work that changes tables as well. `body` keeps the derived attributes itself.
  ///
  /// - Parameter gaps: what keeps writes away.
  package func rewrite<T>(
    lacking gaps: [SchemaGap], cancellation: Cancellation, _ body: (Connection) throws -> T
  ) throws -> T {
    try database.write(heeding: cancellation) { connection in
      try guarding(gaps, cancellation, connection) { _ in try body(connection) }
    }
  }

  /// - Parameter gaps: what keeps writes away.
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

  /// Runs work that writes temporary tables only, and takes them back.
  ///
  /// - Throws: what `body` throws; SQLite's errors as `DatabaseError`.
  package func rolledBack<T>(
    cancellation: Cancellation, _ body: (Connection) throws -> T
  ) throws -> T {
    // A connection that may write allows no temporary table in a read transaction.
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

  /// Runs work on the store, or on a copy of it, and finds out whether the file is to blame where SQLite refuses it.
  package func mappingErrors<T: ~Copyable>(_ connection: Connection, _ body: () throws -> T) throws
    -> T
  {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw try blame(for: error, connection) ?? error as any Error
    }
  }

  /// What the file lacks of what the model needs whose layout was asked for; empty before that.
  package var gaps: [SchemaGap] { known.withLock(\.gaps) }

  /// What of that the file lacks now: another program may have altered it.
  func gaps(in schema: StoreSchema) -> [SchemaGap] {
    known.withLock { $0.layout }?.gaps(in: schema, framework: metadata.frameworkVersion) ?? []
  }

  /// - Parameter layout: what requests expect of the file from now on.
  package func note(_ gaps: [SchemaGap], of layout: StoreLayout) {
    let derivedValues = DerivedValues(in: layout, storeUUID: metadata.uuid)
    known.withLock { $0 = Known(layout: layout, gaps: gaps, derivedValues: derivedValues) }
  }

  /// Ends the connection; the store can't be used any more.
  ///
  /// - Throws: `DatabaseError`
  package func close() throws {
    try database.close()
  }

  package static func connect(
    _ opening: DatabaseFile.Opening, path: FilePath, _ access: Access,
    lockTimeout: Duration = Database.usualLockTimeout
  ) throws -> Database {
    ReadAheadVFS.register()
    WriteGatheringVFS.register()
    return try Database(
      uri: opening.uri, path: path, access, lockTimeout: lockTimeout
    ) { connection in
      if opening.isExclusive { try connection.run("PRAGMA locking_mode = EXCLUSIVE") }
      // Makes SQLite ask for pages in place. Nothing is mapped: the VFS has them in its windows.
      if opening.isReadAhead {
        try connection.define(
          "PRAGMA mmap_size = \(value: .integer(Int64(ReadAheadFile.largestPiece)))")
      }
      if access == .reading, opening.isExclusive { try connection.keepLog() }
      let folder = ExternalFolder(path: ExternalFolder.path(beside: path))
      try SQLFunctions.register(on: connection, files: folder.storedBytes)
      // To explain a write it is compiled, and with it the triggers.
      try connection.registerTriggerFunctions()
      // Gathered writes are in the -wal when it is synced, which has to be before others see a commit.
      // What EXTRA adds to FULL is the folder's sync after a rollback journal is deleted: without it a
      // power cut can bring the journal back, and it would take back what was committed. With `fullfsync` a sync on macOS
      // waits for the disk and not for its cache; elsewhere the two are one.
      if access == .writing {
        try connection.run("PRAGMA synchronous = EXTRA")
        try connection.run("PRAGMA fullfsync = ON")
      }
    }
  }
}

extension Store {
  /// A second connection to a store that this process has open for writing: it reads one state after
  /// the other while that one writes, and neither waits for the other in WAL mode.
  ///
  /// - Throws: `DatabaseError`
  package static func openReader(
    _ path: FilePath, lockTimeout: Duration = Database.usualLockTimeout
  ) throws -> Store {
    try open(
      path, DatabaseFile.Opening(uri: DatabaseFile.uri(path, ["mode=ro"])), .reading,
      lockTimeout: lockTimeout)
  }

  /// A number that is another one when another connection has written since.
  ///
  /// - Throws: `DatabaseError`
  package func dataVersion() throws -> Int64 {
    try database.use { try $0.integer("PRAGMA data_version") }
  }
}
