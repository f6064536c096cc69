import Foundation
import SampleData
import StoreModel
import Testing
import TestSupport

@testable import SQLiteAccess
@testable import StoreLayout

@Suite struct StoreMetadataTests {
  @Test func unknownKeysSurviveWithTheirTypes() throws {
    let original: [String: Any] = [
      "flag": true, "one": 1, "half": 0.5, "text": "x",
      "when": Date(timeIntervalSinceReferenceDate: 3), "bytes": Data([1, 2]),
      "list": [1, "two", [false]], "nested": ["a": ["b": Data()]],
    ]
    let written = try PropertyListSerialization.data(
      fromPropertyList: original, format: .binary, options: 0)
    let metadata = try StoreMetadata(uuid: "U", propertyList: Array(written))
    #expect(metadata.entries["flag"] == .boolean(true))
    #expect(metadata.entries["one"] == .integer(1))
    #expect(
      metadata.entries["list"] == .array([.integer(1), .string("two"), .array([.boolean(false)])]))
    let again = try StoreMetadata(uuid: "U", propertyList: metadata.propertyList())
    #expect(again == metadata)
    let read = try PropertyListSerialization.propertyList(
      from: Data(metadata.propertyList()), format: nil)
    #expect(read as? NSDictionary == NSDictionary(dictionary: original))
  }

  @Test func anotherModelLeavesTheAppsKeys() throws {
    var metadata = StoreMetadata(for: SampleModels.todoFingerprint)
    metadata.entries["token"] = .string("kept")
    let uuid = metadata.uuid
    var next = SampleModels.todoFingerprint
    next.hashes = ["Item": [UInt8](repeating: 9, count: 32)]
    metadata.set(next)
    #expect(metadata.uuid == uuid)
    #expect(metadata.applicationEntries == ["token": .string("kept")])
    #expect(metadata.hashes == next.hashes)
  }

  @Test func brokenBytesAreRefused() {
    #expect(throws: (any Error).self) {
      try StoreMetadata(uuid: "U", propertyList: [1, 2, 3])
    }
  }

  @Test func theVersionIsTheOneWithEqualHashes() {
    let (a, b, c): ([UInt8], [UInt8], [UInt8]) = ([1], [2], [3])
    let candidates = [
      VersionCandidate(name: "1", hashes: ["Item": a]),
      VersionCandidate(name: "2", hashes: ["Item": b, "List": c]),
      VersionCandidate(name: "2b", hashes: ["Item": b, "List": c]),
    ]
    #expect(
      StoreVersion(of: ["Item": b, "List": c], among: candidates) == .known([1, 2]))
  }

  /// If two versions are equally close, the later one is used. An older version has the same Item.
  @Test func anUnknownStoreIsComparedWithTheClosestVersion() {
    let (a, b, c, d): ([UInt8], [UInt8], [UInt8], [UInt8]) = ([1], [2], [3], [4])
    let candidates = [
      VersionCandidate(name: "1", hashes: ["Item": a]),
      VersionCandidate(name: "2", hashes: ["Item": b, "List": c]),
      VersionCandidate(name: "2b", hashes: ["Item": b, "List": c]),
    ]
    func gap(_ hashes: [String: [UInt8]]) -> VersionGap? {
      guard case .unknown(let gap) = StoreVersion(of: hashes, among: candidates) else { return nil }
      return gap
    }
    #expect(
      gap(["Item": a, "Tag": c, "List": c])
        == VersionGap(
          closest: "'2b'", differences: [.changed("Item"), .onlyInStore("Tag")],
          asIn: ["Item": "'1'"], verdict: .newer))
    #expect(
      gap(["Item": d, "List": c])
        == VersionGap(closest: "'2b'", differences: [.changed("Item")], verdict: .different))
    #expect(gap(["Tag": a])?.verdict == .otherModel)
    #expect(
      StoreVersion(of: ["Item": a], among: [])
        == .unknown(VersionGap(closest: nil, differences: [], verdict: .noModel)))
  }

  @Test func aConfigurationIsACandidateOfItsOwn() throws {
    let todo = SampleModels.todo
    let model = DataModel(
      name: "Todo", entities: todo.entities,
      configurations: [
        ConfigurationDescription(name: "All", entities: ["Item", "List"]),
        ConfigurationDescription(name: "Lists", entities: ["List"]),
      ])
    let candidates = VersionCandidate.all(of: model)
    #expect(candidates.map(\.quotedName) == ["'Todo'", "'Todo', configuration 'Lists'"])
    let hashes = ModelFingerprint(of: model, configuration: model.configurations[1]).hashes
    #expect(StoreVersion(of: hashes, among: candidates) == .known([1]))
  }
}
