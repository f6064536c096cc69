import Foundation
import StoreDiagnostics
import StoreEngine
import StoreModel
import StoreModelReader
import StorePredicate
import StoreVerification
import Synchronization
import TestSupport
import Testing

/// Checking, repairing and describing a store of the model "League", in which a player can have a team.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct VerificationAPITests {
  private let league: SampleStore
  private let models: [DataModel]

  init() async throws {
    league = try await SampleStore("League")
    models = try SampleStore.bundle("League").versions.map { try $0.read().model }
    try await league.store.batchInsert([["name": .string("Tigers")]], into: "Team")
    try await league.store.batchInsert(
      (1...20).map { ["name": .string("Player \($0)"), "team": .string("Tigers")] }, into: "Player")
  }

  /// Lets two players refer to a team that doesn't exist.
  private func damage() throws {
    #expect(try league.rows("UPDATE ZPLAYER SET ZTEAM = 77 WHERE Z_PK IN (3, 5)") == [])
  }

  /// A record that `verify` prints as JSON.
  private struct Record: Decodable, Equatable {
    var severity, code, message: String
    var entity, property: String?
    var count: Int64
    var examples: [String]
    var repaired: Bool?

    init(_ finding: StoreFinding, isRepaired: Bool?) {
      severity = finding.severity.rawValue
      (code, message) = (finding.code, finding.message)
      (entity, property) = (finding.entity, finding.property)
      (count, examples) = (finding.count, finding.examples)
      repaired = isRepaired
    }
  }

  private func printed(_ options: String = "") throws -> [Record] {
    let model = BuiltCommand.repository.appendingPathComponent("Models/League.xcdatamodeld").path
    let result = try BuiltCommand(in: league.folder.url).run(
      "storetool verify '\(league.path)' --model '\(model)' --format json \(options)")
    return try JSONDecoder().decode([Record].self, from: Data(result.output.utf8))
  }

  private func record(_ finding: StoreFinding, isRepaired: Bool? = nil) -> Record {
    Record(finding, isRepaired: isRepaired)
  }

  @Test func anIntactStoreHasNoFindings() async throws {
    #expect(try await league.store.verify() == [])
    #expect(try await PersistentStore.verify(league.path, models: models) == [])
    #expect(try await PersistentStore.verify(league.path) == [])
  }

  @Test func findingsEqualTheOutputOfTheCommand() async throws {
    try damage()
    let findings = try await league.store.verify()
    #expect(findings.map(\.code) == ["verify.dangling-reference"])
    #expect(findings.first?.entity == "Player" && findings.first?.property == "team")
    #expect(findings.first?.objectIDs.map(\.primaryKey) == [3, 5])
    #expect(findings.first?.repairEffect == "sets the references to NULL")
    #expect(try await PersistentStore.verify(league.path, models: models) == findings)
    #expect(try printed() == findings.map { record($0) })
    let description = try #require(findings.first?.description)
    #expect(description.hasPrefix("error: 'Player.team': 2 references to missing rows of 'Team'"))
  }

  @Test func withoutAModelNothingCanBeRepaired() async throws {
    // Otherwise the model that the store contains is used.
    #expect(try league.rows("DELETE FROM Z_MODELCACHE") == [])
    #expect(try league.rows("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Player'") == [])
    let findings = try await PersistentStore.verify(league.path)
    #expect(findings.map(\.code) == ["verify.short-counter"])
    #expect(findings.allSatisfy { !$0.isRepairable && $0.repairEffect == nil })
    #expect(try await league.store.verify().map(\.isRepairable) == [true])
  }

  @Test func repairsMissingReferences() async throws {
    try damage()
    try await league.store.close()
    let before = try league.content()
    let planned = try await PersistentStore.repair(league.path, models: models, dryRun: true)
    #expect(try league.content() == before)
    #expect(
      try printed("--repair --dry-run") == planned.repaired.map { record($0, isRepaired: true) })
    let result = try await PersistentStore.repair(league.path, models: models)
    #expect(result == planned)
    #expect(result.repaired.map(\.count) == [2] && result.remaining == [])
    #expect(try league.rows("SELECT count(*) FROM ZPLAYER WHERE ZTEAM IS NULL") == ["2"])
    let store = try await PersistentStore.open(league.path, models: models)
    #expect(try await store.verify() == [])
    try await store.close()
    let again = try await PersistentStore.repair(league.path, models: models)
    #expect(again.repaired == [] && again.remaining == [])
  }

  @Test func progressReachesTheLastCheck() async throws {
    let notes = ShareNotes()
    _ = try await league.store.verify { notes.add($0) }
    let shares = notes.shares
    #expect(shares.count > 5 && shares == shares.sorted())
    #expect(shares.allSatisfy { (0...1).contains($0) })
  }

  @Test func aTruncatedFileIsTheOnlyFinding() async throws {
    try damage()
    try await league.store.close()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: league.path))
    try file.truncate(atOffset: try file.seekToEnd() - 100)
    try file.close()
    let findings = try await PersistentStore.verify(league.path, models: models)
    #expect(findings.map(\.code) == ["verify.integrity"])
    #expect(findings.allSatisfy { !$0.isRepairable })
    #expect(try printed() == findings.map { record($0) })
    try await expectNoRepair()
  }

  @Test func aDamagedPageIsAnError() async throws {
    try await league.store.close()
    let page = try #require(
      Int(try league.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'ZPLAYER'")[0]))
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: league.path))
    try file.seek(toOffset: UInt64(page - 1) * 4096)
    try file.write(contentsOf: Data(repeating: 0xA7, count: 64))
    try file.close()
    let refused = try await failure {
      _ = try await PersistentStore.verify(league.path, models: models)
    }
    #expect(refused?.reason == .damaged)
    try await expectNoRepair()
  }

  private func expectNoRepair() async throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: league.path))
    let refused = try await failure {
      try await PersistentStore.repair(league.path, models: models)
    }
    #expect(refused?.reason == .damaged)
    #expect(try Data(contentsOf: URL(fileURLWithPath: league.path)) == bytes)
  }

  @Test func aStoreThatCannotBeOpenedCanBeVerified() async throws {
    try await league.store.close()
    #expect(try league.rows("UPDATE Z_METADATA SET Z_PLIST = x'00'") == [])
    let refused = try await failure {
      _ = try await PersistentStore.open(league.path, models: models)
    }
    #expect(refused?.reason == .damaged)
    let findings = try await PersistentStore.verify(league.path, models: models)
    #expect(findings.map(\.code) == ["verify.unreadable-metadata"])
    let description = try await PersistentStore.describe(league.path, models: models)
    #expect(description.modelVersion == nil)
    #expect(description.entities.map(\.name) == ["Player", "Team"])
  }

  @Test func errorsHaveAReason() async throws {
    let missing = league.folder.path("Missing.sqlite")
    for work in [
      { _ = try await PersistentStore.verify(missing) },
      { try await PersistentStore.repair(missing, models: []) },
      { _ = try await PersistentStore.describe(missing) },
    ] as [() async throws -> Void] {
      #expect(try await failure(work)?.reason == .notFound)
    }
    let others = [ShopModel.model]
    for work in [
      { _ = try await PersistentStore.verify(league.path, models: others) },
      { try await PersistentStore.repair(league.path, models: others) },
    ] as [() async throws -> Void] {
      #expect(try await failure(work)?.reason == .unknownVersion)
    }
    try await league.store.close()
    #expect(try await failure { _ = try await league.store.verify() }?.reason == .closed)
  }

  @Test func aCancelledTaskThrows() async throws {
    let task = Task { [league] in
      withUnsafeCurrentTask { $0?.cancel() }
      return try await league.store.verify()
    }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    // The task is cancelled before the first check of the rows.
    let barrier = Barrier()
    let later = Task { [league] in
      try await league.store.verify { _ in barrier.hold() }
    }
    await barrier.isReached()
    later.cancel()
    barrier.open()
    await #expect(throws: CancellationError.self) { _ = try await later.value }
    #expect(try await league.store.verify() == [])
  }

  @Test func aDescriptionEqualsTheOutputOfTheCommand() async throws {
    let description = try await league.store.describe()
    #expect(description.modelVersion == league.store.model.name)
    #expect(description.entities.map(\.name) == ["Player", "Team"])
    #expect(description.entities.map(\.rowCount) == [20, 1])
    #expect(description.rowCount == 21 && description.journal == .wal)
    #expect(description.path == league.path && description.findings == [])
    try await league.store.close()
    let same = try await PersistentStore.describe(league.path, models: models)
    #expect(same.entities == description.entities && same.modelVersion == description.modelVersion)
    let result = try BuiltCommand(in: league.folder.url).run(
      "storetool info '\(league.path)' --format json")
    let facts = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    #expect(facts["uuid"] as? String == same.uuid)
    #expect((facts["bytes"] as? NSNumber)?.int64Value == same.bytes)
    #expect((facts["pages"] as? NSNumber)?.int64Value == same.pages.count)
    #expect((facts["rows"] as? NSNumber)?.int64Value == same.rowCount)
    let entities = try #require(facts["entities"] as? [[String: Any]])
    #expect(entities.map { $0["name"] as? String } == same.entities.map(\.name))
    #expect(
      entities.map { ($0["rows"] as? NSNumber)?.int64Value } == same.entities.map(\.rowCount))
    #expect(facts["remarks"] as? [String] == same.remarks.map(\.sentence))
  }
}

/// Collects the shares that a request reports.
private final class ShareNotes: Sendable {
  private let notes = Mutex<[Double]>([])

  func add(_ share: Double) { notes.withLock { $0.append(share) } }

  var shares: [Double] { notes.withLock { $0 } }
}
