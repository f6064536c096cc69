import StoreDiagnostics
import Foundation
import SQLiteAccess
import StoreCore
import StoreLayout
import StoreMigration
import StoreModelReader
import Synchronization
import TestSupport
import Testing

struct VersionReadingsTests {
  /// Five versions, and a definition between the last two.
  private let bundle: ModelBundle

  init() throws {
    bundle = try #require(
      ModelBundle.find(at: BuiltCommand.repository.path + "/Models/Journal.xcdatamodeld").first)
  }

  @Test func aMigrationReadsEachVersionOnce() throws {
    let folder = try TemporaryFolder()
    let reads = Mutex<[String: Int]>([:])
    let versions = HashedVersions(
      VersionReadings(of: bundle) { version in
        reads.withLock { $0[version.name, default: 0] += 1 }
        return try version.read()
      })
    let path = LocalPath(folder.path("Journal.sqlite"))
    _ = try Store.create(at: path, for: bundle.version(named: "Journal").read().model)

    let store = try Store.open(path, .reading)
    let source = try SourceVersion(of: store, in: versions, takesNewer: false)
    #expect(source.name == "Journal")
    let migration = try RequestedMigration(
      store, from: source,
      definitions: DefinitionFolder.find(of: bundle, in: bundle.defaultMigrationsFolder))
    #expect(migration.target == "Journal 5")
    #expect(migration.route.legs.count > 1)
    #expect(migration.namesOfVersions(for: .some(["Entry.mood", "No.such"])) == ["Entry.mood"])

    let counts = reads.withLock(\.self)
    #expect(counts.count == 5)
    #expect(counts.values.allSatisfy { $0 == 1 }, "\(counts)")
  }

  @Test func aVersionThatCannotBeReadIsReadOnce() throws {
    struct Unreadable: Error {}
    let reads = Mutex(0)
    let versions = HashedVersions(
      VersionReadings(of: bundle) { _ in
        reads.withLock { $0 += 1 }
        throw Unreadable()
      })
    for _ in 1...2 {
      #expect(throws: Unreadable.self) { try versions.candidates(of: bundle.versions[0].name) }
    }
    #expect(reads.withLock(\.self) == 1)
  }
}
