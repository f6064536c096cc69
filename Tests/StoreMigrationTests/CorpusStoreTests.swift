import StoreDiagnostics
import Foundation
import SeededRandom
import StoreCore
import StoreModel
import StoreModelReader
import TestSupport
import Testing

@testable import StoreVerification
@testable import SQLiteAccess
@testable import StoreLayout
@testable import StoreMigration

/// Copies of real stores, written by Core Data, are migrated to their app's current version.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)")) struct CorpusStoreTests {
  struct StoreOfBundle: CustomTestStringConvertible, Sendable {
    var store: String
    var bundle: String
    var version: String

    var testDescription: String { "\(store) \(bundle) \(version)" }
  }

  static let stores: [StoreOfBundle] = {
    let rows = (try? Corpus.table("store-models.tsv")) ?? []
    return rows.compactMap { row in
      let parts = (row["model"] ?? "").split(separator: "/").map(String.init)
      guard let store = row["store"],
        let bundle = parts.firstIndex(where: { $0.hasSuffix(".xcdatamodeld") })
      else { return nil }
      return StoreOfBundle(
        store: store, bundle: parts[...bundle].joined(separator: "/"), version: parts[bundle + 1])
    }
  }()

  /// All versions of a bundle, and the inferred mapping from each version to the next.
  private struct ReadBundle {
    let bundle: ModelBundle
    let models: [Result<DataModel, any Error>]
    let steps: [Result<ModelMapping, any Error>]

    init(_ bundle: ModelBundle) {
      self.bundle = bundle
      let models = bundle.versions.map { version in Result { try version.read().model } }
      self.models = models
      steps = zip(models, models.dropFirst()).map { old, new in
        Result { MappingInference.infer(ModelPairing(from: try old.get(), to: try new.get())) }
      }
    }
  }

  /// Read once, because some bundles have ninety versions and many stores.
  private static let bundles: [String: ReadBundle] = {
    Set(stores.map(\.bundle)).reduce(into: [:]) { known, path in
      let found = try? ModelBundle.find(at: Corpus.models.appendingPathComponent(path).path)
      known[path] = found?.first.map(ReadBundle.init)
    }
  }()

  /// The hashes that Core Data computed for the entities, by the path of the model.
  private static let knownHashes: [String: [String: String]] = {
    let rows = (try? Corpus.table("version-hashes.tsv")) ?? []
    return rows.reduce(into: [:]) { known, row in
      known[row["model"] ?? "", default: [:]][row["entity"] ?? ""] = row["hash"]
    }
  }()

  @Test(arguments: Soak.sample(of: stores, every: 8))
  func reachesTheCurrentVersion(_ pair: StoreOfBundle) throws {
    let known = try #require(Self.bundles[pair.bundle])
    let bundle = known.bundle
    let target = try bundle.requireCurrentVersion()
    let names = bundle.versions.map(\.name)
    let first = try #require(names.firstIndex(of: bundle.version(named: pair.version).name))
    let last = try #require(names.firstIndex(of: target.name))
    guard first < last else { return }
    let model = try known.models[last].get()
    let folder = try TemporaryFolder()
    let copy = try Self.copy(pair.store, into: folder)
    let mappings = try known.steps[first..<last].map { try $0.get() }
    let exception = Self.exceptions[pair.store]
    do {
      let migrated = try VerifiedMigration(
        of: LocalPath(copy), by: mappings, from: names[first], to: names[last])
      #expect(exception != .duplicates)
      #expect(
        Set(migrated.newFindings.map(\.code)) == exception?.findings ?? [],
        "\(migrated.newFindings)")
    } catch MigrationRunError.failedChecks(let checks) {
      #expect(exception == .duplicates, "\(checks)")
      return
    }
    let hashes = try Store.open(LocalPath(copy), .reading).metadata.hashes
    #expect(hashes == ModelFingerprint(of: model).hashes)
    let place = "\(pair.bundle)/\(target.name).xcdatamodel/contents"
    for (entity, hash) in Self.knownHashes[place] ?? [:] {
      #expect(hashes[entity].map { Data($0).base64EncodedString() } == hash, "\(entity)")
    }
  }

  /// Copies a store with the files next to it, such as a journal or external values.
  private static func copy(_ store: String, into folder: TemporaryFolder) throws -> String {
    let original = Corpus.store(store)
    let name = original.lastPathComponent
    let stem = original.deletingPathExtension().lastPathComponent
    for file in [name, "\(name)-wal", "\(name)-shm", ".\(stem)_SUPPORT"] {
      let source = original.deletingLastPathComponent().appendingPathComponent(file).path
      guard FileManager.default.fileExists(atPath: source) else { continue }
      try FileManager.default.copyItem(atPath: source, toPath: folder.path(file))
    }
    return folder.path(name)
  }

  /// The reasons why some stores can't be migrated without issues.
  private enum Exception {
    /// Rows violate a new constraint.
    case duplicates
    /// A row was edited by hand, and its `Z_ENT` is the number of an entity of another table. After the migration
    /// corrects it, references to the row are dangling.
    case wrongNumbers

    var findings: Set<String> {
      switch self {
      case .duplicates: []
      case .wrongNumbers: ["verify.dangling-reference", "verify.ghost-pair"]
      }
    }
  }

  private static let exceptions: [String: Exception] = [
    "alemar11__CoreDataPlus/CoreDataMigration_Example_3.sqlite": .duplicates,
    "artsy__energy/ArtsyPartner_2.0.sqlite": .wrongNumbers,
  ]
}
