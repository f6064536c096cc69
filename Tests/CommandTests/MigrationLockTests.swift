import Foundation
import PlainSQLite
import TestSupport
import Testing

/// Other processes have the store open, or open it, while it is migrated.
struct MigrationLockTests {
  private typealias Mode = StockFolder.JournalMode

  /// The statements that another process (the test process) has run before the migration begins.
  struct Other: CustomTestStringConvertible {
    var journal: StockFolder.JournalMode
    var statements: String

    var testDescription: String { "\(journal.rawValue): \(statements)" }
  }

  private static let read = "SELECT count(*) FROM ZPART"

  /// In WAL mode, a process that only has the store open also prevents a migration, because the store would change
  /// while the process uses it.
  static let others =
    Mode.allCases.flatMap { journal in
      ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "BEGIN; \(read)"].map {
        Other(journal: journal, statements: $0)
      }
    } + [Other(journal: .wal, statements: read)]

  @Test(arguments: others)
  func someoneElseHasTheStore(_ other: Other) throws {
    let folder = try MigrationFolder(rows: 60, journal: other.journal)
    try folder.copy()
    let before = try folder.state()
    let database = try PlainDatabase(folder.path(MigrationFolder.copiedStore))
    try database.execute(other.statements)
    let ending = try folder.samples.run(folder.arguments())
    #expect(ending.status == 75)
    #expect(
      ending.errors == """
        error: another process has locked 'copy/parts.sqlite' [store.locked]
          help: try again when it has finished

        """)
    if other.statements.hasPrefix("BEGIN") { try database.execute("ROLLBACK") }
    try database.close()
    #expect(try folder.leftovers() == [])
    #expect(try folder.state() == before)
  }

  /// With a rollback journal, an open store without a transaction can't be detected. The process continues with the new
  /// tables.
  @Test func someoneElseHasItOpenAndDoesNothing() throws {
    let folder = try MigrationFolder(rows: 60, journal: .delete)
    try folder.copy()
    let database = try PlainDatabase(folder.path(MigrationFolder.copiedStore))
    try database.execute(Self.read)
    #expect(try folder.samples.run(folder.arguments()).status == 0)
    try database.execute("UPDATE ZPART SET ZSIZE = 9 WHERE Z_PK = 1")
    #expect(try database.text("SELECT count(*) FROM ZPART WHERE ZSIZE = 4") == "59")
    try database.close()
  }

  /// From the check of the store to the end of the migration, other processes can't use the store.
  @Test(
    .enabled(if: FaultInjection.isAvailable, "no library can be loaded into a command here"),
    arguments: StockFolder.JournalMode.allCases)
  func someoneElseComesMeanwhile(journal: StockFolder.JournalMode) throws {
    let trial = try FaultTrial(.init(journal: journal, backup: false), rows: 60)
    let count = try trial.count(.statements)
    for call in [count / 4, count / 2, count] {
      try trial.folder.copy()
      let fault = FaultInjection(counted: .statements, call: call, action: .stop)
      let migration = try trial.folder.samples.start(
        trial.folder.arguments(["--no-backup"]), environment: fault.environment)
      try migration.waitUntilStopped()
      let second = try trial.folder.samples.run(trial.folder.arguments())
      #expect(second.status == 75)
      #expect(second.errors.hasPrefix("error: another process has locked 'copy/parts.sqlite'"))
      #expect(throws: PlainDatabase.SQLiteError.self) {
        let database = try PlainDatabase(trial.folder.path(MigrationFolder.copiedStore))
        try database.execute("UPDATE ZPART SET ZCODE = 0")
      }
      kill(migration.identifier, SIGCONT)
      #expect(try migration.ending().status == 0)
      let found = try trial.folder.state()
      #expect(found == trial.after, "\(call): \(found.difference(from: trial.after))")
      #expect(try trial.folder.leftovers() == [])
    }
  }

  /// If another process writes to the store while it is opened, the command opens it again. It is then already
  /// migrated.
  @Test(.enabled(if: FaultInjection.isAvailable, "no library can be loaded into a command here"))
  func anotherMigrationIsFaster() throws {
    let trial = try FaultTrial(.init(journal: .wal, backup: false), rows: 60)
    try trial.folder.copy()
    let fault = FaultInjection(counted: .statements, call: 1, action: .stop)
    let slow = try trial.folder.samples.start(
      trial.folder.arguments(), environment: fault.environment)
    try slow.waitUntilStopped()
    #expect(try trial.folder.samples.run(trial.folder.arguments(["--no-backup"])).status == 0)
    kill(slow.identifier, SIGCONT)
    let ending = try slow.ending()
    #expect(ending.status == 0 && ending.errors.contains("is already a store of"), "\(ending)")
    #expect(try trial.folder.state() == trial.after)
    #expect(try trial.folder.leftovers() == [])
  }

  /// After a crash, the `-wal` contains the last commits. They must be in the migrated store and in the backup.
  @Test func aLeftWALIsPartOfTheStore() throws {
    let folder = try MigrationFolder(rows: 60)
    let writer = try PlainDatabase(folder.path())
    try writer.execute("PRAGMA wal_autocheckpoint = 0")
    try writer.execute("UPDATE ZPART SET ZNAME = 'late', ZBIN = 4 WHERE Z_PK <= 9")
    try folder.copy()
    let log = folder.path(MigrationFolder.store + "-wal")
    try FileManager.default.copyItem(
      atPath: log, toPath: folder.path(MigrationFolder.copiedStore + "-wal"))
    let written = try folder.state(of: MigrationFolder.store)
    try writer.close()
    #expect(try folder.samples.run(folder.arguments()).status == 0)
    let backup = try #require(try folder.backup())
    #expect(try folder.state(of: "copy/\(backup)") == written)
    let found = try folder.state()
    try folder.copy()
    #expect(try folder.samples.run(folder.arguments()).status == 0)
    #expect(try folder.state() == found)
  }
}
