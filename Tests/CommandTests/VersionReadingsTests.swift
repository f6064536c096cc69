import Foundation
import SQLiteAccess
import StoreEngine
import StoreLayout
import StoreMigration
import StoreModelReader
import TestSupport
import Testing

@testable import storetool

struct VersionReadingsTests {
  /// Five versions, and a definition between the last two.
  private let bundle: ModelBundle

  init() throws {
    bundle = try #require(
      ModelBundle.find(at: BuiltCommand.repository.path + "/Models/Journal.xcdatamodeld").first)
  }

  @Test func aMigrationReadsEachVersionOnce() throws {
    let folder = try TemporaryFolder()
    var reads: [String: Int] = [:]
    let readings = VersionReadings(of: bundle) { version in
      reads[version.name, default: 0] += 1
      return try version.read()
    }
    let path = folder.path("Journal.sqlite")
    _ = try Store.create(at: path, for: bundle.version(named: "Journal").read().model)

    let store = try Store.open(path, .reading)
    var matcher = ModelMatcher(hashes: store.metadata.hashes, versionName: nil)
    let found = try #require(try matcher.match(in: readings))
    #expect(found.version.name == "Journal")
    let migration = try RequestedMigration(store, found, to: nil, via: [], migrations: nil)
    #expect(migration.target.version.name == "Journal 5")
    #expect(migration.route.legs.count > 1)
    #expect(found.namesOfVersions(for: .some(["Entry.mood", "No.such"])) == ["Entry.mood"])

    #expect(reads.count == 5)
    #expect(reads.values.allSatisfy { $0 == 1 }, "\(reads)")
  }

  @Test func aVersionThatCannotBeReadIsReadOnce() throws {
    struct Unreadable: Error {}
    var reads = 0
    let readings = VersionReadings(of: bundle) { _ in
      reads += 1
      throw Unreadable()
    }
    for _ in 1...2 {
      #expect(throws: Unreadable.self) { try readings.candidates(of: bundle.versions[0]) }
    }
    #expect(reads == 1)
  }
}
