import Foundation
import PlainSQLite
import StoreDiagnostics
import StoreModel
import StoreModelReader
import StoreSeeding
import StoreTestSupport
import TestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreEngine
@testable import StoreLayout
@testable import StoreMigration
@testable import StoreSQL

/// What `migrate script --dialect` prints leaves the same store, in an engine without transactions, as the migration.
@Suite struct PortableMigrationTests {
  /// Versions of a sample model, older to newer and back.
  static let samplePairs: [(bundle: String, from: Model, to: Model)] = {
    let folder = BuiltCommand.repository.appendingPathComponent("Models").path
    let bundles = (try? ModelBundle.find(at: folder)) ?? []
    return bundles.flatMap { bundle in
      let models = bundle.versions.compactMap { try? $0.read().model }
      return models.indices.flatMap { old in
        models.indices.filter { $0 != old }.map { (bundle.name, models[old], models[$0]) }
      }
    }
  }()

  @Test func everyPairIsThere() {
    #expect(Self.samplePairs.count >= 22)
  }

  @Test(arguments: samplePairs.indices, [false, true])
  func versionsOfTheSamples(_ index: Int, keepsHistory: Bool) throws {
    let (_, source, target) = Self.samplePairs[index]
    let mapping = MappingInference.infer(ModelPairing(from: source, to: target))
    let trial = try PortableTrial(source, keepsHistory: keepsHistory)
    for dialect in [SQLDialect.rqlite, .d1, .libsql] {
      let result = try trial.compare([mapping], to: target, for: dialect)
      switch result {
      case .same, .refusedByBoth: break
      case .notSaid(let error): #expect(error.isOwnFunction, "\(error)")
      case .different(let difference): Issue.record("\(dialect): \(difference)")
      }
    }
  }

  /// Made-up histories: splits, merges, moves, relationships of all kinds.
  @Test(arguments: 0..<12) func versionsThatAreMadeUp(_ group: Int) throws {
    var same = 0
    for seed in UInt64(group * 10 + 1)...UInt64(group * 10 + 10) {
      var bundle = RandomBundle(seed: seed)
      let (from, to) = bundle.pair()
      let (source, target) = (bundle.versions[from], bundle.versions[to])
      guard ModelFingerprint(of: source).hashes != ModelFingerprint(of: target).hashes else {
        continue
      }
      let mapping = MappingInference.infer(ModelPairing(from: source, to: target))
      let trial = try PortableTrial(source, keepsHistory: seed % 2 == 0, seed: seed)
      let result = try trial.compare([mapping], to: target, for: seed % 3 == 0 ? .rqlite : .d1)
      switch result {
      case .same: same += 1
      case .refusedByBoth: break
      case .notSaid(let error): #expect(error.isExpected, "seed \(seed): \(error)")
      case .different(let difference): Issue.record("seed \(seed): \(difference)")
      }
    }
    #expect(same >= 3, "most can be said")
  }

  /// Versions of real apps.
  @Test(
    .enabled(if: Corpus.isPresent, "\(Corpus.absence)"),
    arguments: CorpusTransitionTests.transitions)
  func versionsOfApps(_ transition: CorpusTransitionTests.Transition) throws {
    let path = Corpus.models.appendingPathComponent(transition.bundle).path
    let bundle = try #require(ModelBundle.find(at: path).first)
    let source = try bundle.version(named: transition.from).read().model
    let target = try bundle.version(named: transition.to).read().model
    guard ModelFingerprint(of: source).hashes != ModelFingerprint(of: target).hashes else { return }
    let mapping = MappingInference.infer(ModelPairing(from: source, to: target))
    let result = try PortableTrial(source).compare([mapping], to: target, for: .d1)
    switch result {
    case .same, .refusedByBoth: break
    case .notSaid(let error): #expect(error.isExpected, "\(error)")
    case .different(let difference): Issue.record("\(difference)")
    }
  }

  /// Two indexes take each other's names, for which SQLite's own schema is written elsewhere.
  @Test func indexesTradeNames() throws {
    func model(_ first: String, _ second: String) -> Model {
      let attributes = ["a", "b"].map { Attribute(name: $0, type: .string, isOptional: true) }
      let indexes = [
        FetchIndex(name: first, elements: [.init(.property("a"))]),
        FetchIndex(name: second, elements: [.init(.property("b"))]),
      ]
      return Model(
        name: "Traded",
        entities: [Entity(name: "Item", attributes: attributes, indexes: indexes)])
    }
    let (source, target) = (model("one", "two"), model("two", "one"))
    let mapping = MappingInference.infer(ModelPairing(from: source, to: target))
    let result = try PortableTrial(source).compare([mapping], to: target, for: .d1)
    guard case .same = result else {
      Issue.record("\(result)")
      return
    }
  }
}

/// A filled store, migrated by the migration itself and by its script.
struct PortableTrial {
  enum Result {
    case same
    /// Rows do not fit.
    case refusedByBoth
    case notSaid(ScriptError)
    case different(String)
  }

  private let store: StoreFixture

  init(_ source: Model, keepsHistory: Bool = false, seed: UInt64 = 1) throws {
    store = try StoreFixture(source, name: "Library.sqlite")
    let layout = StoreLayout(model: source)
    if keepsHistory { try store.keepHistory() }
    let writer = try Store.open(FilePath(store.path), .writing)
    try writer.write { connection in
      try SampleRows(layout, count: 3, seed: seed).write(to: connection)
      let changes = try ChangeRecorder(in: layout, on: connection)
      for entity in layout.entities where !entity.isAbstract {
        try changes.recordInserts(into: entity, after: 0)
      }
      try changes.finish()
    }
    try writer.close()
  }

  private func copy(_ name: String) throws -> String {
    let path = store.folder.path(name)
    Store.discardDryRunCopy(FilePath(path))
    let reader = try Store.open(FilePath(store.path), .reading)
    try reader.copyForDryRun(to: FilePath(path))
    try reader.close()
    return path
  }

  func compare(_ mappings: [ModelMapping], to target: Model, for dialect: SQLDialect) throws
    -> Result
  {
    let (first, second) = (try copy("first.sqlite"), try copy("second.sqlite"))
    let expected = migrated(first, mappings, target)
    let script: SQLScript
    do {
      let reader = try Store.open(FilePath(second), .reading)
      defer { try? reader.close() }
      script = try Self.migration(of: reader, mappings, target).script(of: reader, for: dialect)
    } catch let error as ScriptError {
      if case .condition = error, case .failure = expected { return .refusedByBoth }
      return .notSaid(error)
    }
    if case .failure(let error) = expected {
      return .different("only the migration fails: \(error)")
    }
    let engine = NarrowEngine(second, longestStatement: dialect == .d1 ? 100_000 : nil)
    try engine.run(script.statements.map(\.sql.literalText))
    // The compiled model is left out.
    let cache: Set = ["Z_MODELCACHE"]
    let (done, found) = (
      try PlainDatabase(first).content(without: cache),
      try PlainDatabase(second).content(without: cache)
    )
    guard done != found else { return .same }
    return .different(
      Golden.lineDifference(
        from: done.joined(separator: "\n"), to: found.joined(separator: "\n")) + script.text)
  }

  private func migrated(
    _ path: String, _ mappings: [ModelMapping], _ target: Model
  ) -> Swift.Result<Void, any Error> {
    Swift.Result {
      let store = try Store.openExclusively(FilePath(path))
      defer { try? store.close() }
      let settings = MigrationSettings(backup: .none, allowedLosses: .all)
      _ = try MigrationRun(
        try Self.migration(of: store, mappings, target), of: store, settings: settings
      ).run()
    }
  }

  private static func migration(
    of store: Store, _ mappings: [ModelMapping], _ target: Model
  ) throws -> Migration {
    try Migration(
      from: "old", to: "new", by: MigrationAssembly.plans(mappings, for: store),
      model: ModelFingerprint(of: target), metadata: store.metadata)
  }
}

extension ScriptError {
  /// A conversion of values that SQLite does not have.
  fileprivate var isOwnFunction: Bool { if case .ownFunction = self { true } else { false } }

  /// That, or a statement over so many entities that D1 does not take it.
  fileprivate var isExpected: Bool {
    if case .refused(.d1, _, _, let reason) = self {
      return reason.contains("too many terms in compound SELECT")
        || reason.contains("too many columns")
    }
    return isOwnFunction
  }
}
