import ArgumentParser
import RecordFormats
import SQLiteAccess
import StoreDiagnostics
import StoreCore
import StoreLayout
import StoreModelReader
import StoreSeeding

struct SeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed", _superCommandName: Storetool.name,
    abstract: "Fill a store with sample rows that the model accepts.",
    discussion: """
      Values follow the model's rules and fit the names of their attributes. Relationships link the new rows, \
      with numbers of members that the model allows. A required relationship links an existing row if there \
      are no new ones. Without ENTITY=COUNT, each entity gets about 100 rows. The same seed creates the same \
      rows in equal stores. Either all rows are written or none.

        storetool seed
        storetool seed Item=100000 List=50 --seed 7
        storetool seed --create --store Demo.sqlite --model Models/Todo.xcdatamodeld
        storetool seed Item=1000000 --dry-run
      """)

  @Argument(help: ArgumentHelp("The number of rows of an entity.", valueName: "entity=count"))
  var rows: [EntityCount] = []

  @Option(help: ArgumentHelp("The seed of the random values.", valueName: "number"))
  var seed: UInt64 = 1

  @Flag(help: "Create the store, which must not exist. See 'storetool create'.")
  var create = false

  @Flag(help: "Only print how many rows of each entity would be inserted.")
  var dryRun = false

  @OptionGroup var options: StoreOptions

  @Option(help: "The format of a dry run. Default: table on a terminal, otherwise ndjson.")
  var format: RowFormat?

  func validate() throws {
    var known: Set<String> = []
    for row in rows where !known.insert(row.entity).inserted {
      throw ValidationError("duplicate count for '\(row.entity)'")
    }
    if format != nil, !dryRun { throw ValidationError("--format requires --dry-run") }
  }

  private var seeding: Seeding {
    Seeding(
      counts: rows.isEmpty
        ? nil : Dictionary(rows.map { ($0.entity, $0.count) }, uniquingKeysWith: { $1 }),
      seed: seed)
  }

  func run() throws {
    Signals.cancelOnInterrupt()
    if create { try runCreating() } else { try runInserting() }
  }

  private func runInserting() throws {
    let subject = rows.first.map { Subject.entity($0.entity) }
    let store = try Workspace(options).openStore(having: subject, for: dryRun ? .reading : .writing)
    guard !dryRun else {
      try store.found.requireForWriting(store.store)
      return try print(store.store.read { try SeedPlan(seeding, in: store.layout, on: $0) })
    }
    let inserted = try Progress("rows").following { report in
      try store.store.write { connection in
        let plan = try SeedPlan(seeding, in: store.layout, on: connection)
        return try SeedRun(plan, store: store.store.metadata.uuid).run(
          on: connection, progress: report)
      }
    }
    WritingReport(inserted: inserted).print()
  }

  /// Creates the store with its rows. The file is renamed to its final name after the rows have been written.
  private func runCreating() throws {
    let found = try Workspace(options).currentModel()
    let path = options.store ?? "\(found.bundle.name).sqlite"
    guard !dryRun else {
      return try print(SeedPlan(seeding, newIn: StoreLayout(model: found.model)))
    }
    var inserted: [String: Int] = [:]
    let risks = try Progress("rows").following { report in
      let uuid = seeding.storeUUID(of: found.model)
      return try Store.create(at: path, for: found.model, uuid: uuid) { connection, layout, uuid in
        let plan = try SeedPlan(seeding, in: layout, on: connection)
        inserted = try SeedRun(plan, store: uuid).run(on: connection, progress: report)
      }
    }
    for risk in risks { Terminal.note(risk, code: "create.unsettled") }
    Terminal.err.write("created \(path), a store of \(found.description)\n")
    WritingReport(inserted: inserted).print()
  }

  private struct SeedRecord: Encodable {
    let entity: String
    let rows: Int
    let first, last: Int64
  }

  private func print(_ plan: SeedPlan) throws {
    let records = plan.rows.map { entity, count, keys in
      SeedRecord(entity: entity, rows: count, first: keys.lowerBound, last: keys.upperBound)
    }
    try FactWriter(format ?? .standard).print(
      .records(columns: ["entity", "rows", "first", "last"], records))
    Terminal.err.write("would insert \(plan.rowCount.grouped) \("row".plural(plan.rowCount))\n")
  }
}

/// The number of new rows of an entity, written as `Item=100000`.
struct EntityCount: ExpressibleByArgument {
  let entity: String
  let count: Int

  private static let limit = 1_000_000_000

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty,
      let count = Int(parts[1].filter { $0 != "_" && $0 != "," }), (0...Self.limit).contains(count)
    else { return nil }
    (entity, self.count) = (String(parts[0]), count)
  }
}
