import Foundation
@testable import StoreDiagnostics
import StoreModel
import TestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreLayout
@testable import StoreCore
@testable import StoreMigration

/// The run alone, with hand-written plans. The attribute `note` is added to Item, and `mark` is removed.
@Suite struct MigrationRunTests {
  private static func model(_ version: String, _ attributes: AttributeDescription...) -> DataModel {
    DataModel(name: version, entities: [EntityDescription(name: "Item", attributes: attributes)])
  }

  private static let name = AttributeDescription(name: "name", type: .string)
  private static let mark = AttributeDescription(name: "mark", type: .integer64, isOptional: true)
  private static let note = AttributeDescription(name: "note", type: .string, isOptional: true)
  private let old = model("v1", name, mark)
  private let new = model("v2", name, note)
  private let store: MigrationStore

  init() throws {
    store = try MigrationStore(old, name: "Items.sqlite")
    try store.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) \
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZMARK) \
      SELECT i, 1, 1, 'item ' || i, iif(i % 100 = 0, i, NULL) FROM n
      """, "UPDATE Z_PRIMARYKEY SET Z_MAX = 500")
  }

  private static let adding = MigrationStep(
    "ALTER TABLE ZITEM ADD COLUMN ZNOTE VARCHAR", "adds Item.note", .schema)
  private static let dropping = MigrationStep(
    "ALTER TABLE ZITEM DROP COLUMN ZMARK", "drops Item.mark", .rows("ZITEM"))
  private static let names = ProofScan(
    subject: "Item", table: "ZITEM", columns: ["name"],
    before: "SELECT Z_PK, ZNAME FROM ZITEM",
    after: "SELECT Z_PK, ZNAME FROM ZITEM")
  private static let markLoss = PossibleLoss("Item.mark", count: "SELECT count(ZMARK) FROM ZITEM")

  private func migration(
    _ steps: [MigrationStep] = [adding, dropping], checks: [MigrationCheck] = [],
    losses: [PossibleLoss] = [markLoss], proofs: [ProofScan] = [names],
    prelude: [MigrationStep] = [], highestKeys: [String: Int64] = [:]
  ) throws -> Migration {
    let plan = MigrationPlan(
      mapping: ModelMapping(from: old, to: new, entities: []), source: StoreLayout(model: old),
      target: StoreLayout(model: new),
      tables: [.init(from: "ZITEM", to: "ZITEM", strategy: .dropColumns)],
      checks: checks, losses: losses, prelude: prelude, steps: steps, epilogue: [],
      stepChecks: [], moves: [], proofs: proofs, movedColumns: [], notes: [],
      highestKeys: highestKeys)
    return try Migration(
      from: "v1", to: "v2", by: [plan], model: ModelFingerprint(of: new),
      metadata: store.metadata())
  }

  private func run(
    _ migration: Migration, backup: MigrationSettings.Backup = .none,
    allowing losses: AllowedLosses = .all, proves: Bool = true,
    cancellation: Cancellation = Cancellation(),
    progress: @escaping (MigrationPhase) -> Void = { _ in }
  ) throws -> MigrationResult {
    let opened = try Store.openExclusively(LocalPath(store.path))
    defer { try? opened.close() }
    let settings = MigrationSettings(backup: backup, allowedLosses: losses, proves: proves)
    return try MigrationRun(
      migration, of: opened, settings: settings, cancellation: cancellation, progress: progress
    ).run()
  }

  private func fileNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path).sorted()
  }

  /// Returns the contents of the store, to compare them before and after.
  private func contents() throws -> [[SQLiteValue]] {
    try store.rows("SELECT name, sql FROM sqlite_master ORDER BY rowid")
      + store.rows("SELECT * FROM ZITEM") + store.rows("SELECT * FROM Z_PRIMARYKEY")
      + store.rows("SELECT * FROM Z_METADATA")
  }

  /// Runs a migration that must fail, expects that the store and its folder are unchanged, and returns the error.
  private func failure(
    _ migration: Migration, backup: String? = nil, allowing losses: AllowedLosses = .all,
    proves: Bool = true, cancellation: Cancellation = Cancellation(),
    progress: @escaping (MigrationPhase) -> Void = { _ in }
  ) throws -> (any Error)? {
    let before = try contents()
    var thrown: (any Error)?
    do {
      _ = try run(
        migration, backup: backup.map { .at(LocalPath(store.folder.path($0))) } ?? .none,
        allowing: losses,
        proves: proves, cancellation: cancellation, progress: progress)
    } catch {
      thrown = error
    }
    #expect(try contents() == before)
    #expect(try fileNames() == ([backup].compactMap(\.self) + ["Items.sqlite"]))
    return thrown
  }

  @Test func aStoreBecomesTheTarget() throws {
    let uuid = try store.metadata().uuid
    let report = try run(migration())
    #expect(report.proofs == [.init(subject: "Item", rows: 500, values: 500)])
    #expect(report.steps == 3)
    #expect(report.backup == nil)
    #expect(try store.metadata().uuid == uuid)
    #expect(try store.metadata().hashes == ModelFingerprint(of: new).hashes)
    #expect(
      try store.rows("SELECT count(ZNAME), count(ZNOTE) FROM ZITEM") == [[500, 0]])
    #expect(try fileNames() == ["Items.sqlite"])
  }

  /// The step that rewrites 500 rows counts as much as the proof, and twice as much as the backup.
  @Test func itsShareIsToldInRows() throws {
    let opened = try Store.openExclusively(LocalPath(store.path))
    defer { try? opened.close() }
    var shares: [Double] = []
    _ = try MigrationRun(
      migration(highestKeys: ["ZITEM": 500]), of: opened,
      settings: MigrationSettings(
        backup: .at(LocalPath(store.folder.path("backup"))), allowedLosses: .all, proves: true),
      cancellation: Cancellation(), share: { shares.append($0) }
    ).run()
    #expect(shares == [0.2, 0.6, 1])
  }

  // MARK: Proof

  private static let spoiling: [(SQL, String)] = [
    ("DELETE FROM ZITEM WHERE Z_PK = 7", "Item: 500 rows before, 499 after"),
    ("UPDATE ZITEM SET Z_PK = 501 WHERE Z_PK = 7", "Item: the keys differ"),
    ("UPDATE ZITEM SET ZNAME = NULL WHERE Z_PK = 7", "Item.name: 500 values before, 499 after"),
    ("UPDATE ZITEM SET ZNAME = 'x' WHERE Z_PK = 7", "Item.name: the values differ"),
    (
      "UPDATE ZITEM SET ZNAME = 'item ' || (15 - Z_PK) WHERE Z_PK IN (7, 8)",
      "Item.name: the values differ"
    ),
  ]

  /// The previous state is read from the store or from the backup.
  @Test(arguments: 0..<spoiling.count, [nil, "Before.sqlite"])
  func whatIsNotWhatItWasIsRolledBack(_ number: Int, backup: String?) throws {
    let (statement, sentence) = Self.spoiling[number]
    let spoilt = try migration([
      Self.adding, Self.dropping, MigrationStep(statement, "spoils", .rows("ZITEM")),
    ])
    let error = try failure(spoilt, backup: backup)
    guard case .unproved(let differences)? = error as? MigrationRunError else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(differences.map(\.sentence) == [sentence])
    // Without the proof, the same migration succeeds.
    #expect(try run(spoilt, proves: false).proofs == [])
  }

  @Test func anotherSchemaIsRolledBack() throws {
    let error = try failure(migration([Self.adding]), proves: false)
    #expect(
      error as? MigrationRunError
        == .schema([.init(subject: "ZITEM", found: "ZMARK INTEGER", expected: nil)]))
  }

  @Test func aStatementThatFailsIsNamed() throws {
    let unique = MigrationStep(
      "CREATE UNIQUE INDEX one ON ZITEM (Z_OPT)", "makes an index", .schema)
    let error = try failure(migration([Self.adding, unique]))
    guard case .step("makes an index", .constraint)? = error as? MigrationRunError else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  // MARK: Checks

  @Test func lossesNeedPermission() throws {
    #expect(
      try failure(migration(), allowing: .some([])) as? MigrationRunError
        == .losses([MigrationLoss(name: "Item.mark", count: 5)], allowed: []))
    #expect(
      try failure(migration(), allowing: AllowedLosses("Item.marc")) as? MigrationRunError
        == .unknownLoss("Item.marc", known: ["Item.mark"]))
    _ = try run(migration(), allowing: AllowedLosses("Item.mark, Item.name"))
  }

  @Test(arguments: [AllowedLosses.all, .some(["Item.mark"])])
  func whatWasDroppedWithPermissionIsCounted(_ allowed: AllowedLosses) throws {
    #expect(
      try run(migration(), allowing: allowed).losses == [MigrationLoss(name: "Item.mark", count: 5)]
    )
  }

  /// Allowed losses can name properties of the source, and of other versions in `otherNames`.
  @Test func aNameOfAnyVersionMayBeAllowed() throws {
    let names = AllowedLosses("Item.mark,Item.note,Item.past")
    #expect(
      try failure(migration(), allowing: names) as? MigrationRunError
        == .unknownLoss("Item.past", known: ["Item.mark"]))
    let opened = try Store.openExclusively(LocalPath(store.path))
    defer { try? opened.close() }
    var settings = MigrationSettings(backup: .none, allowedLosses: names)
    settings.otherNames = ["Item.past"]
    let report = try MigrationRun(
      migration(), of: opened, settings: settings, cancellation: Cancellation()
    ).run()
    #expect(report.losses.map(\.name) == ["Item.mark"])
  }

  /// A check between the steps can examine data that the steps have created.
  @Test func aQuestionInTheMiddleTakesEverythingBack() throws {
    let problem = MappingError.sharedDestination(
      entity: "Item", relationship: "name", inverse: "Item.name", sourceEntity: "Item",
      loss: "Item.name")
    let asking = MigrationStep(
      asking: MigrationCheck(
        "SELECT Z_PK FROM ZITEM WHERE ZNOTE IS NULL AND Z_PK > 498", problem,
        permission: "Item.name"), "asks")
    let steps = [Self.adding, Self.dropping, asking]
    guard
      case .failedChecks(let checks)? = try failure(
        migration(steps), allowing: .some(["Item.mark"])) as? MigrationRunError
    else {
      Issue.record("it was not refused")
      return
    }
    #expect(checks.map(\.count) == [2])
    let report = try run(migration(steps), allowing: .some(["Item.mark", "Item.name"]))
    #expect(
      report.losses == [.init(name: "Item.mark", count: 5), .init(name: "Item.name", count: 2)])
    #expect(report.permitted.map(\.problem) == [problem])
  }

  @Test func whatIsNotThereIsNotLost() throws {
    try store.run("UPDATE ZITEM SET ZMARK = NULL")
    _ = try run(migration(), allowing: .some([]))
  }

  @Test func offendersAreListed() throws {
    let check = MigrationCheck(
      "SELECT Z_PK, ZMARK FROM ZITEM WHERE Z_PK > 475 ORDER BY Z_PK",
      .inconvertible(entity: "Item", attribute: "mark", from: .string, to: .integer64))
    let error = try failure(migration(checks: [check]))
    guard case .failedChecks(let checks)? = error as? MigrationRunError, let failed = checks.first
    else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failed.count == 25)
    #expect(failed.offenders.count == 20)
    let uuid = try store.metadata().uuid
    #expect(
      failed.offenders.first == .init(id: "x-coredata://\(uuid)/Item/p476", value: .null))
  }

  /// Checks and the proof apply to the store after the definition's SQL.
  @Test func aDefinitionsSQLComesFirst() throws {
    let clearing = MigrationStep(
      "UPDATE ZITEM SET ZMARK = NULL; DELETE FROM ZITEM WHERE Z_PK > 100", "runs SQL", .script)
    let report = try run(migration(prelude: [clearing]), allowing: .some([]))
    #expect(report.proofs.map(\.rows) == [100])
    #expect(report.steps == 4)
  }

  /// The error is attributed to the definition, not to storetool.
  @Test(arguments: [
    ("UPDATE ZITEM SET ZNOBODY = 1", "no such column: ZNOBODY", true),
    ("UPDATE", "incomplete input", false),
  ])
  func aDefinitionsSQLMayBeWrong(
    _ statement: String, _ words: String, _ lacksName: Bool
  ) throws {
    let wrong = MigrationStep(SQL(segments: [.text(statement)]), "runs SQL", .script)
    let error = try failure(migration(prelude: [wrong])) as? MigrationRunError
    #expect(error == .definitionSQL(words, nil, lacksName: lacksName))
    #expect(error?.diagnostics.map(\.cause) == [.invalid])
  }

  @Test(arguments: ["COMMIT", "ROLLBACK", "ATTACH ':memory:' AS other", "SAVEPOINT mine"])
  func aDefinitionsSQLStaysInTheTransaction(_ statement: String) throws {
    let ending = MigrationStep(
      SQL(segments: [.text("DELETE FROM ZITEM; \(statement)")]), "runs SQL", .script)
    let error = try failure(migration(prelude: [ending]))
    #expect(
      error as? MigrationRunError
        == .step(purpose: "runs SQL", .noPermission(path: LocalPath(store.path))))
  }

  // MARK: Backup

  @Test func theBackupIsTheStoreAsItWas() throws {
    let before = try contents()
    let report = try run(migration(), backup: .beside)
    let backup = try #require(report.backup)
    #expect(backup.hasPrefix(store.path + ".v1.20"))
    #expect(backup.hasSuffix("Z.backup"))
    let copy = try Store.open(backup, .reading)
    let rows = try copy.read { connection in
      try connection.rows("SELECT name, sql FROM sqlite_master ORDER BY rowid")
        + connection.rows("SELECT * FROM ZITEM") + connection.rows("SELECT * FROM Z_PRIMARYKEY")
        + connection.rows("SELECT * FROM Z_METADATA")
    }
    #expect(rows == before)
    #expect(try fileNames().count == 2)
  }

  @Test func aNameThatIsTakenIsNotUsed() throws {
    let path = try store.folder.write("mine", to: "kept.backup")
    #expect(throws: DatabaseError.exists(path: LocalPath(path))) {
      try run(migration(), backup: .at(LocalPath(path)))
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test func timestampsAreUTC() {
    #expect(
      MigrationSettings.Backup.timestamp(of: Date(timeIntervalSince1970: 1_770_000_000))
        == "20260202T024000Z")
  }

  // MARK: Cancelling

  /// Cancels at every step and during the proof.
  @Test func cancellingRollsBack() throws {
    var phases: [MigrationPhase] = []
    _ = try MigrationDryRun.run(
      migration(), of: Store.open(LocalPath(store.path), .reading),
      settings: MigrationSettings(allowedLosses: .all)
    ) { phases.append($0) }
    #expect(phases.count == 7)
    for stop in phases.indices.dropFirst() {
      let wish = Cancellation()
      var passed = 0
      let error = try failure(migration(), cancellation: wish) { _ in
        passed += 1
        if passed == stop { wish.request() }
      }
      #expect(error is Cancelled || error as? DatabaseError == .cancelled, "\(phases[stop])")
    }
  }

  @Test func aTrialLeavesTheStoreAlone() throws {
    let before = try contents()
    let report = try MigrationDryRun.run(
      migration(), of: Store.open(LocalPath(store.path), .reading),
      settings: MigrationSettings(allowedLosses: .all))
    #expect(report.losses == [MigrationLoss(name: "Item.mark", count: 5)])
    #expect(report.proofs.map(\.rows) == [500])
    #expect(try contents() == before)
    #expect(try fileNames() == ["Items.sqlite"])
  }

  // MARK: Script

  @Test(.enabled(if: SQLiteShell.executable != nil, "the sqlite3 shell isn't installed"))
  func theScriptDoesTheSame() throws {
    let script = MigrationScript(try migration())
    #expect(script.functions == [])
    let shell = try #require(SQLiteShell.executable)
    let file = try store.folder.write(script.text, to: "migrate.sql")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "\(shell) -bail '\(store.path)' < '\(file)'"]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let layout = try SchemaSnapshot(of: StoreLayout(model: new))
    let found = try Store.open(LocalPath(store.path), .reading).read {
      SchemaSnapshot(of: try $0.databaseSchema())
    }
    #expect(found.differences(to: layout) == [])
    #expect(try store.metadata().hashes == ModelFingerprint(of: new).hashes)
  }

  @Test func aScriptNamesFunctionsOfOurs() throws {
    let fold = MigrationStep(
      "UPDATE ZITEM SET ZNAME = TEXT_UPPER(ZNAME)", "folds", .rows("ZITEM"))
    #expect(MigrationScript(try migration([fold])).functions == ["TEXT_UPPER"])
    let name: SQL = "TEXT_UPPER"
    let call = MigrationStep(
      "UPDATE ZITEM SET ZNAME = \(name)(ZNAME)", "folds", .rows("ZITEM"))
    #expect(MigrationScript(try migration([call])).functions == ["TEXT_UPPER"])
  }
}
