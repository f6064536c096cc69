import Foundation
import PlainSQLite
import SeededRandom
import TestSupport
import Testing

/// Drops each table, column, index, trigger and row that a model requires, one at a time. `verify` reports its name,
/// and no command ends with 70 or by a signal.
@Suite struct MissingObjectCommandTests {
  private static let workshop = Result { try Workshop() }

  /// A store of the model that `Scripts/mutate` uses, which contains an object of every kind.
  struct Workshop {
    let folder: TemporaryFolder
    let path: String

    init() throws {
      folder = try TemporaryFolder()
      path = folder.path("S.sqlite")
      try FileManager.default.copyItem(
        at: BuiltCommand.repository.appendingPathComponent(
          "Tests/StoreFuzz/Models/Workshop.xcdatamodeld"),
        to: folder.url.appendingPathComponent("Workshop.xcdatamodeld"))
      try folder.write(Self.records, to: "in.ndjson")
      let outcome = try BuiltCommand(in: folder.url).run(
        "storetool create S.sqlite --model Workshop.xcdatamodeld && storetool import in.ndjson --store S.sqlite"
          + " --model Workshop.xcdatamodeld")
      #expect(outcome.status == 0, "\(outcome.errors)")
    }

    static let records = """
      {"$entity": "Maker", "name": "Ann", "badge": {"number": 1}, "tools": [{"name": "saw"}, \
      {"name": "axe", "drawers": [{"name": "a"}, {"name": "b", "near": [{"name": "c"}]}]}], \
      "drawers": [{"name": "d"}]}
      {"$entity": "Master", "name": "Bo", "tools": [{"name": "file", "price": 1.5}]}
      """
  }

  /// The statement that drops an object, and its name.
  struct Loss: CustomTestStringConvertible, Sendable {
    var sql: String
    var name: String
    var testDescription: String { sql }
  }

  static let losses: [Loss] = {
    do {
      let database = try PlainDatabase(workshop.get().path)
      func names(_ query: String) throws -> [String] { try database.texts(query) }
      // A store can be used without the model that it contains.
      let tables = try names(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
          + " AND name <> 'Z_MODELCACHE'")
      let columns = try tables.flatMap { table in
        try names("SELECT name FROM pragma_table_info('\(table)')").map {
          Loss(sql: "ALTER TABLE \(table) RENAME COLUMN \($0) TO GONE", name: $0)
        }
      }
      let objects = try ["index", "trigger"].flatMap { type in
        try names("SELECT name FROM sqlite_master WHERE type = '\(type)' AND sql NOT NULL")
          .map { Loss(sql: "DROP \(type) \($0)", name: $0) }
      }
      return tables.map { Loss(sql: "DROP TABLE \($0)", name: $0) } + columns
        // For a column with two indexes, one index is sufficient.
        + objects.filter { !["Z_Tool_byName", "Z_Tool_name"].contains($0.name) }
        + (try names("SELECT Z_NAME FROM Z_PRIMARYKEY")).map {
          Loss(sql: "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = '\($0)'", name: $0)
        } + [Loss(sql: "DELETE FROM Z_METADATA", name: "Z_METADATA")]
    } catch {
      return []
    }
  }()

  @Test func thereAreEnough() {
    #expect(Self.losses.count > 70)
  }

  @Test(arguments: Soak.sample(of: losses, every: 5))
  func noCommandEndsAsABug(_ loss: Loss) throws {
    let original = try Self.workshop.get()
    let folder = try TemporaryFolder()
    let store = folder.path("S.sqlite")
    try FileManager.default.copyItem(atPath: original.path, toPath: store)
    let database = try PlainDatabase(store)
    try database.execute("PRAGMA legacy_alter_table = ON; \(loss.sql)")
    try database.close()
    let shell = BuiltCommand(
      in: folder.url,
      environment: [
        "STORETOOL_MODEL": original.folder.path("Workshop.xcdatamodeld"),
        "STORETOOL_STORE": store, "IN": original.folder.path("in.ndjson"),
      ])
    let verified = try shell.run("storetool verify")
    #expect((verified.output + verified.errors).contains(loss.name))
    #expect([0, 1, 65].contains(verified.status))
    let outcome = try shell.run(
      """
      for words in info export 'fetch Maker' 'insert Tool name=x' "import $IN --on-conflict update" \
        'batch-update Tool name=y' 'batch-delete Maker --all' 'verify --repair'; do
        storetool $words >/dev/null 2>err; status=$?
        case $status in 0|1|65|78) ;; *) echo "$words: $status"; cat err;; esac
      done
      """)
    #expect(outcome.output == "")
  }
}
