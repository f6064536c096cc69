import Foundation
import StoreDiagnostics
import StoreEngine
import StoreMigration
import StoreModel
import StorePredicate
import Synchronization
import TestSupport
import Testing

struct CustomStepTests {
  /// A step between the third and the fourth version that copies values from old rows and creates rows.
  private let stamping = CustomStep(from: JournalV3.self, to: JournalV4.self) { step in
    let dates = ISO8601DateFormatter()
    for entry in try step.old.fetch(JournalV3.Entry.all.ordered(by: \.day)) {
      guard let id = try step.successor(of: entry.id, as: JournalV4.Entry.self) else { continue }
      try step.new.update(id) { $0.createdAt = dates.date(from: entry.day + "T12:00:00Z") }
      try step.new.create(JournalV4.Photo(file: "\(entry.title).jpg", entry: id))
    }
  }

  private func open(_ journal: JournalStore) async throws -> PersistentStore {
    try await PersistentStore.open(journal.path, schema: JournalModel.self)
  }

  @Test func bothSidesAreAtHandInTheMiddleOfTheWay() async throws {
    let journal = try await JournalStore()
    let migrator = journal.migrator(steps: [stamping])
    let status = try await migrator.status()
    #expect(
      "\(status)"
        == "'Journal' → 'Journal 3' (inferred) → 'Journal 4' (defined) → 'Journal 5' (defined)")
    let phases = Mutex<[MigrationPhase]>([])
    let result = try #require(
      try await migrator.run { phase in phases.withLock { $0.append(phase) } })
    #expect(result.rowsProved > 0)
    #expect(
      phases.withLock(\.self).contains(.customStep(from: "Journal 3", to: "Journal 4")))

    let store = try await open(journal)
    let entries = try await store.fetch(
      Entry.all.where(\.isDraft == false).ordered(by: \.createdAt))
    #expect(entries.map(\.title) == ["One", "Two", "Untitled"])
    #expect(
      entries.map { $0.createdAt?.timeIntervalSince1970 }
        == [1_714_564_800, 1_714_651_200, 1_714_737_600])
    let photos = try await store.fetch(
      Photo.all.ordered(by: \.file).select(\.file, \.entry.title))
    #expect(photos.map(\.0) == ["One.jpg", "Two.jpg", "Untitled.jpg"])
    #expect(photos.map(\.1) == ["One", "Two", "Untitled"])
    // New keys follow the keys of the rows that the step created. The step's temporary data is deleted.
    try await store.create(Photo(file: "Four.jpg"))
    try await store.close()
    #expect(try await migrator.run() == nil)
  }

  @Test func thePlanIsTriedWithItsSteps() async throws {
    let journal = try await JournalStore()
    let before = try journal.bytes
    let plan = try #require(try await journal.migrator(steps: [stamping]).plan())
    #expect(!plan.isRefused)
    #expect(try await journal.migrator(steps: [stamping]).dryRun() != nil)
    #expect(try journal.bytes == before)
    #expect(try journal.files == ["Journal.sqlite"])
  }

  private struct Refusal: Error, Equatable {}

  @Test func whatAStepThrowsLeavesTheStoreAsItWas() async throws {
    let journal = try await JournalStore()
    let before = try journal.bytes
    let failing = CustomStep(from: JournalV4.self, to: JournalV5.self) { step in
      try step.new.create(JournalV5.Place(name: "Lost"))
      throw Refusal()
    }
    await #expect(throws: Refusal.self) { try await journal.migrator(steps: [failing]).run() }
    #expect(try journal.bytes == before)
    #expect(try journal.files == ["Journal.sqlite"])
    #expect(try await journal.migrator().run() != nil)
  }

  @Test func aRequestThatFailsInAStepIsAStoreError() async throws {
    let journal = try await JournalStore()
    let failing = CustomStep(from: JournalV4.self, to: JournalV5.self) { step in
      try step.new.batchUpdate(
        BatchUpdate(entity: "Entry", values: [.init("titel", .value(.string("x")))]))
    }
    let failure = try await failure { try await journal.migrator(steps: [failing]).run() }
    #expect(failure?.reason == .invalidRequest)
  }

  @Test func cancellingTakesEverythingBack() async throws {
    let journal = try await JournalStore()
    let before = try journal.bytes
    let (begun, announce) = AsyncStream.makeStream(of: Void.self)
    let endless = CustomStep(from: JournalV4.self, to: JournalV5.self) { step in
      announce.yield()
      while true { _ = try step.new.fetch(JournalV5.Entry.all.count) }
    }
    let migration = Task { try await journal.migrator(steps: [endless]).run() }
    for await _ in begun { break }
    migration.cancel()
    await #expect(throws: CancellationError.self) { try await migration.value }
    #expect(try journal.bytes == before)
  }

  @Test func whatAStepTakesOverMayGo() async throws {
    let journal = try await JournalStore()
    let moods = Mutex<[String?]>([])
    let step = CustomStep(
      from: JournalV2.self, to: JournalV3.self,
      allowing: .values(of: JournalV2.Entry.self, \.mood)
    ) { step in
      for entry in try step.old.fetch(JournalV2.Entry.all.ordered(by: \.day)) {
        moods.withLock { $0.append(entry.mood) }
      }
    }
    #expect(try await journal.migrator(allowing: .none, steps: [step]).run() != nil)
    #expect(moods.withLock(\.self) == ["calm", nil, nil])
  }

  @Test func stepsThatFitNoVersions() async throws {
    let journal = try await JournalStore()
    let lost = CustomStep(from: "Jornal 3", to: "Journal 4") { _ in }
    let unknown = try await migrationError {
      _ = try await journal.migrator(steps: [lost]).status()
    }
    #expect(unknown?.reason == .unusableDefinition)
    #expect(unknown?.description.contains("did you mean 'Journal 3'") == true)
    let twice = try await migrationError {
      _ = try await journal.migrator(steps: [stamping, stamping]).status()
    }
    #expect(twice?.diagnostics.first?.code == "migrate.twice")
  }

  /// Written only by the step's thread, and read only by the test afterwards.
  private final class Kept: @unchecked Sendable {
    var snapshots: [StoreSnapshot] = []
  }

  @Test func bothEndWithTheStep() async throws {
    let journal = try await JournalStore()
    let kept = Kept()
    let step = CustomStep(from: JournalV4.self, to: JournalV5.self) { step in
      kept.snapshots = [step.old, step.new]
    }
    try await journal.migrator(steps: [step]).run()
    var reasons: [StoreError.Reason] = []
    for snapshot in kept.snapshots {
      do {
        _ = try snapshot.fetch(JournalV5.Entry.all.count)
      } catch let failure as StoreError {
        reasons.append(failure.reason)
      }
    }
    #expect(reasons == [.transactionOver, .transactionOver])
  }
}
