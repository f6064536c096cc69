import Foundation
import TestSupport
import Testing

@testable import StoreLayout
@testable import StoreVerification
@testable import StoreEngine

/// Every real store is read and described, and its files stay as they were.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusStoreTests {
  static let stores: [String] =
    Corpus.isPresent
    ? Corpus.files(below: Corpus.stores) { file in
      !["-wal", "-shm"].contains { file.path.hasSuffix($0) } && !file.hasDirectoryPath
    }.map { String($0.path.dropFirst(Corpus.stores.path.count + 1)) } : []

  @Test func thereAreEnoughStores() {
    #expect(Self.stores.count >= 85)
  }

  @Test(arguments: stores)
  func describedWithoutATrace(_ store: String) throws {
    let folder = try TemporaryFolder()
    let source = Corpus.stores.appendingPathComponent(store)
    for suffix in ["", "-wal", "-shm"] {
      let file = source.path + suffix
      guard FileManager.default.fileExists(atPath: file) else { continue }
      try FileManager.default.copyItem(
        atPath: file, toPath: folder.path(source.lastPathComponent + suffix))
    }
    let before = try StoreFixture.contents(of: folder.url)
    let description = try Store.describe(folder.path(source.lastPathComponent))
    let after = try StoreFixture.contents(of: folder.url)
    #expect(Set(after.keys) == Set(before.keys))
    #expect(after == before, "a file changed")

    #expect(!description.entities.isEmpty)
    #expect(description.metadata?.uuid.count == 36)
    #expect(description.otherTables.isEmpty)
    #expect(description.remarks.filter(\.isDamage) == Self.damages[store, default: []])
    let hashes = description.metadata?.hashes ?? [:]
    #expect(hashes.values.allSatisfy { $0.count == 32 })
    #expect(hashes.isEmpty == Self.withoutPropertyList.contains(store))
  }

  /// Both have NULL in `Z_PLIST`.
  static let withoutPropertyList: Set<String> = [
    "log2timeline__plaso/6ea4bcfc-NotesV7.storedata", "log2timeline__plaso/NotesV7.storedata",
  ]

  /// Test data of an app, edited by hand.
  static let damages: [String: [Remark]] = [
    "artsy__energy/ArtsyPartner_1.3.sqlite": [
      .strayRows(table: "ZARTWORK", entityNumber: 3, count: 1),
      .staleCounter(entity: "Artwork", counter: 0, highest: 1),
    ],
    "artsy__energy/ArtsyPartner_1.4.sqlite": [
      .staleCounter(entity: "Artist", counter: -1, highest: 4),
      .staleCounter(entity: "Partner", counter: -1, highest: 1),
    ],
    "artsy__energy/ArtsyPartner_2.0.sqlite": [
      .strayRows(table: "ZARTWORK", entityNumber: 1, count: 1),
      .staleCounter(entity: "Artwork", counter: 0, highest: 1),
    ],
  ]
}

extension Remark {
  /// Not something that Core Data does.
  fileprivate var isDamage: Bool {
    switch self {
    case .noMetadata, .unreadableMetadata, .missing, .unreadableTable, .strayRows, .staleCounter:
      true
    case .noPropertyList, .renamedEntity, .uncheckpointed, .derivedAttributeTriggers,
      .foreignTriggers, .history,
      .unusualPageSize, .unusualVacuum:
      false
    }
  }
}
