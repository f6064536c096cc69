import Foundation
import SeededRandom
import TestSupport
import Testing

/// Commands work on all real stores without an available model.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusStoreCommandTests {
  @Test(arguments: Soak.sample(of: Corpus.storePaths, every: 10))
  func answersWithoutAModel(_ path: String) throws {
    let folder = try TemporaryFolder()
    let source = Corpus.store(path)
    for suffix in ["", "-wal", "-shm"]
    where FileManager.default.fileExists(atPath: source.path + suffix) {
      try FileManager.default.copyItem(
        atPath: source.path + suffix, toPath: folder.path("a.sqlite") + suffix)
    }
    let shell = BuiltCommand(in: folder.url)
    let info = try shell.run("storetool info --store a.sqlite --format json")
    #expect(info.status == 0, "\(info.errors)")
    // In three stores, an entity has a number under a former name, which the metadata no longer contains. Two stores
    // don't have hashes.
    let all = try Info(info.output).entities
    let entities = all.contains { $0.hash != nil } ? all.filter { $0.hash != nil } : all
    #expect(!entities.isEmpty)

    for entity in Self.sample(of: entities, path) {
      let rows = try shell.run("storetool fetch '\(entity.name)' --limit 5 --store a.sqlite")
      #expect(rows.status == 0, "\(entity.name): \(rows.errors)")
      // The count can be larger, because it includes rows of sub-entities.
      let count = rows.output.split(separator: "\n").count
      #expect(min(5, entity.rows) <= count && count <= 5, "\(entity.name)")
    }
    if let entity = entities.max(by: { $0.rows < $1.rows }) {
      let line = "storetool export '\(entity.name)' --store a.sqlite"
      let export = try shell.run(line)
      #expect(export.status == 0, "\(line): \(export.errors)")
    }
    // Status 1: the command reports findings.
    let verify = try shell.run("storetool verify --store a.sqlite")
    #expect([0, 1].contains(verify.status), "\(verify.errors)")
    if info.output.contains(#""ownModel": "carried""#), let model = try Self.model(of: path) {
      let byXML = try shell.run("storetool verify --store a.sqlite --model '\(model)'")
      #expect(byXML.output == verify.output && byXML.status == verify.status, "\(model)")
    }
  }

  /// Returns the path of the XML that a store was written with, if it is known.
  private static func model(of store: String) throws -> String? {
    let row = try Corpus.table("store-models.tsv").first { $0["store"] == store }
    return row?["model"].map { Corpus.models.appendingPathComponent($0).path }
  }

  /// Returns all entities of a small model, and a quarter of the entities of a large model. The path determines which
  /// quarter.
  private static func sample(of entities: [Info.Entity], _ path: String) -> [Info.Entity] {
    guard entities.count > 8 else { return entities }
    let first = path.utf8.reduce(0) { $0 + Int($1) } % 4
    return Soak.sample(of: entities, every: 4, from: first)
  }

  private struct Info: Decodable {
    struct Entity: Decodable {
      var name: String
      var rows: Int
      var hash: String?
    }
    var entities: [Entity]

    init(_ json: String) throws {
      self = try JSONDecoder().decode(Info.self, from: Data(json.utf8))
    }
  }
}
