import StoreDiagnostics
@testable import SQLiteAccess
import Foundation
import StoreTestSupport
import Testing
import TestSupport

@testable import StoreCore
@testable import StoreLayout
@testable import StoreVerification

/// Every real store is read and described, and its files don't change.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusStoreTests {
  @Test func thereAreEnoughStores() {
    #expect(Corpus.storePaths.count >= 85)
  }

  @Test(arguments: Corpus.storePaths)
  func describedWithoutATrace(_ store: String) throws {
    let folder = try TemporaryFolder()
    let source = Corpus.store(store)
    for suffix in ["", "-wal", "-shm"] {
      let file = source.path + suffix
      guard FileManager.default.fileExists(atPath: file) else { continue }
      try FileManager.default.copyItem(
        atPath: file, toPath: folder.path(source.lastPathComponent + suffix))
    }
    let before = try StoreFixture.contents(of: folder.url)
    let description = try Store.describe(LocalPath(folder.path(source.lastPathComponent)))
    let after = try StoreFixture.contents(of: folder.url)
    #expect(Set(after.keys) == Set(before.keys))
    #expect(after == before, "a file changed")

    #expect(!description.entities.isEmpty)
    #expect(description.metadata?.uuid.count == 36)
    #expect(description.otherTables.isEmpty)
    let verified = try Store.open(LocalPath(folder.path(source.lastPathComponent)), .reading)
      .verify(
        in: nil)
    #expect(description.findings == verified)
    #expect(description.findings.map(\.message) == Self.damages[store, default: []])
    let hashes = description.metadata?.hashes ?? [:]
    #expect(hashes.values.allSatisfy { $0.count == 32 })
    #expect(hashes.isEmpty == Self.withoutPropertyList.contains(store))
  }

  /// Both stores have NULL in `Z_PLIST`.
  static let withoutPropertyList: Set<String> = [
    "log2timeline__plaso/6ea4bcfc-NotesV7.storedata", "log2timeline__plaso/NotesV7.storedata",
  ]

  /// Most of these stores are an app's test data that was edited by hand.
  static let damages: [String: [String]] = [
    "artsy__energy/ArtsyPartner_1.3.sqlite": [
      "Z_MAX of 'Artwork' is 0, but key 1 is in use",
      "ZARTWORK: 1 row with an entity number (Z_ENT) that doesn't belong in this table",
    ],
    "artsy__energy/ArtsyPartner_1.4.sqlite": [
      "Z_MAX of 'Artist' is -1, but key 4 is in use",
      "Z_MAX of 'Partner' is -1, but key 1 is in use",
    ],
    "artsy__energy/ArtsyPartner_2.0.sqlite": [
      "Z_MAX of 'Artwork' is 0, but key 1 is in use",
      "ZARTWORK: 1 row with an entity number (Z_ENT) that doesn't belong in this table",
    ],
    "log2timeline__plaso/6ea4bcfc-NotesV7.storedata": [noHashes],
    "log2timeline__plaso/NotesV7.storedata": [noHashes],
    // Caused by one of the app's migrations.
    "wireapp__wire-ios-data-model/store1-27.wiredatabase": [
      "Z_2LASTSERVERSYNCEDACTIVEPARTICIPANTS: 4 pairs refer to a row that doesn't exist",
      "Z_2OTHERACTIVEPARTICIPANTS: 4 pairs refer to a row that doesn't exist",
    ],
  ]
  private static let noHashes =
    "the metadata has no version hashes, so the store's model is unknown"
}
