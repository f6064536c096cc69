import Foundation
import SeededRandom
import StoreEngine
import StoreModel
import StoreModelReader
import StorePredicate
import TestSupport
import Testing

/// Random links and unlinks over each kind of relationship, from both sides, compared with lists in memory. Compares
/// the export by another process, the history and the results of dry runs. `verify` must not report anything.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(10)))
struct RandomLinksTests {
  /// `LINK_SEEDS=1-500` runs more seeds.
  @Test(arguments: Seeds.named("LINK_SEEDS", otherwise: 1...2))
  func agree(_ seed: UInt64) async throws {
    let subject = try await Subject()
    var random = SeededGenerator(seed: seed)
    var world = try subject.world(.everyKind)
    let properties = world.paths.keys.sorted()
    var (done, refused, idle) = (0, 0, 0)
    for number in 0..<80 {
      let path = try #require(world.paths[random.pick(properties)])
      let edit = subject.edit(of: path, in: world, &random)
      let comment = Comment(rawValue: "seed \(seed), edit \(number) of \(path.property): \(edit)")
      let old = world
      let expected = world.apply(edit, to: path)
      let request = try subject.request(edit, path, &random)
      let versions = try subject.versions()
      let last = try subject.lastTransaction()
      let dry = await subject.result { try await subject.store.dryRun(of: request) }
      let real = await subject.result { try await subject.store.batchLink(request) }
      #expect(dry == real, comment)
      let changed: Int? = if case .success(let outcome) = real { outcome.changed } else { nil }
      #expect(changed == expected, "\(real), \(comment)")
      let found = try subject.world(world)
      for property in properties {
        for row in Set((found.lists[property] ?? [:]).keys) {
          #expect(
            found.partners(property, of: row) == world.partners(property, of: row),
            "\(property) of \(row): \(comment)")
        }
      }
      let changes = world.changes(since: old)
      #expect(try subject.changes(after: last) == changes, comment)
      try expectVersions(subject, versions, changes, hidden: path, comment)
      if expected == nil { refused += 1 } else if changes.isEmpty { idle += 1 } else { done += 1 }
    }
    #expect(done > 25 && refused > 5 && idle > 2, "seed \(seed): \(done), \(refused), \(idle)")
    try subject.expectSound("seed \(seed)")
  }

  /// Edits the records of one side in an export and leaves the records of the other side unchanged. Importing it must
  /// apply the edits.
  @Test(arguments: Seeds.named("LINK_SEEDS", otherwise: 1...1))
  func editedExportsComeBack(_ seed: UInt64) async throws {
    let subject = try await Subject()
    var random = SeededGenerator(seed: seed)
    var world = try subject.world(.everyKind)
    let properties = world.paths.keys.sorted()
    var done = 0
    for number in 0..<60 {
      let path = try #require(world.paths[random.pick(properties)])
      var edit = subject.edit(of: path, in: world, &random)
      // An export lists rows by entity, which would change the order on the other side.
      edit.sources = Array(edit.sources.prefix(1))
      let comment = Comment(rawValue: "seed \(seed), edit \(number) of \(path.property): \(edit)")
      let old = world
      guard world.apply(edit, to: path) != nil else { continue }
      let last = try subject.lastTransaction()
      try subject.importExport(with: world, path, of: edit.sources)
      let found = try subject.world(world)
      for property in properties {
        for row in Set((found.lists[property] ?? [:]).keys) {
          #expect(
            found.partners(property, of: row) == world.partners(property, of: row),
            "\(property) of \(row): \(comment)")
        }
      }
      let changes = world.changes(since: old)
      #expect(try subject.changes(after: last) == changes, comment)
      if !changes.isEmpty { done += 1 }
    }
    #expect(done > 15, "seed \(seed): \(done)")
    try subject.expectSound("seed \(seed)")
  }

  /// Expects that the version of each changed row is one higher, and that other rows keep theirs.
  private func expectVersions(
    _ subject: Subject, _ before: [Int: Int], _ changes: [Int: Set<String>],
    hidden path: LinkWorld.Path, _ comment: Comment
  ) throws {
    let raised = try subject.versions().filter { before[$0.key] != $0.value }
    #expect(raised.allSatisfy { $0.value == (before[$0.key] ?? 0) + 1 }, comment)
    // A member of a to-many without inverse receives a new version, although its properties don't change.
    let others = Set(raised.keys).subtracting(changes.keys)
    #expect(others.isEmpty || path.isToMany && path.inverse == nil, comment)
    #expect(Set(changes.keys).isSubset(of: raised.keys), comment)
  }
}

/// A store with rows of each entity, numbered by `n`, and a history.
private final class Subject: Sendable {
  let folder: TemporaryFolder
  let store: PersistentStore
  private static let rows = ["A": 1...7, "B": 11...17, "C": 21...24]

  init() async throws {
    folder = try TemporaryFolder()
    let model = try folder.write(LinkWorld.everyKind.modelText, to: "Links.xml")
    let path = folder.path("links.sqlite")
    let read = try ModelBundle(at: model).requireCurrentVersion().read().model
    try await PersistentStore.create(path, for: read)
    var records: [String] = []
    for (entity, numbers) in Self.rows.sorted(by: { $0.key < $1.key }) {
      for number in numbers {
        let own = number.isMultiple(of: 3) && entity != "C" ? "\(entity)2" : entity
        // Rows of C require destinations.
        let links =
          entity == "C" ? #", "holder": "\#(number % 4 + 1)", "badge": "\#(number - 10)""# : ""
        records.append(#"{"$entity": "\#(own)", "$id": "\#(number)", "n": \#(number)\#(links)}"#)
      }
    }
    try folder.write(records.joined(separator: "\n"), to: "rows.ndjson")
    store = try await PersistentStore.open(path, models: [read])
    try run("storetool import rows.ndjson")
    try run("sqlite3 links.sqlite", input: SampleStore.historyTables)
  }

  @discardableResult
  private func run(_ line: String, input: String? = nil) throws -> [Substring] {
    let shell = BuiltCommand(
      in: folder.url,
      environment: ["STORETOOL_STORE": "links.sqlite", "STORETOOL_MODEL": "Links.xml"])
    let outcome = try shell.run(line, input: input)
    #expect(outcome.status == 0, "\(line): \(outcome.errors)")
    return outcome.output.split(separator: "\n")
  }

  func expectSound(_ comment: Comment) throws { try run("storetool verify") }

  // MARK: Contents

  private func objects(_ line: String) throws -> [[String: Any]] {
    try run(line).map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  /// Returns the relationships that an export contains.
  func world(_ known: LinkWorld) throws -> LinkWorld {
    var world = known
    world.lists = [:]
    let records = try objects("storetool export --format ndjson")
    var numbers: [String: Int] = [:]
    for record in records { numbers[try text(record["$id"])] = record["n"] as? Int }
    for record in records {
      let entity = try text(record["$entity"]).prefix(1)
      for path in known.paths.values where path.entity == entity {
        let ids = (record[path.name] as? [String]) ?? (record[path.name] as? String).map { [$0] }
        world.lists[path.property, default: [:]][try #require(record["n"] as? Int)] =
          try (ids ?? []).map { try #require(numbers[$0]) }
      }
    }
    return world
  }

  /// Exports all rows, sets one property of some records to the values of a world, and imports them.
  func importExport(
    with world: LinkWorld, _ path: LinkWorld.Path, of rows: [Int]
  ) throws {
    var records = try objects("storetool export --format ndjson")
    var ids: [Int: String] = [:]
    for record in records { ids[try #require(record["n"] as? Int)] = try text(record["$id"]) }
    for index in records.indices {
      guard let row = records[index]["n"] as? Int, rows.contains(row) else { continue }
      let partners = (world.lists[path.property]?[row] ?? []).compactMap { ids[$0] }
      records[index][path.name] =
        path.isToMany ? partners as Any : partners.first.map { $0 as Any } ?? NSNull()
    }
    let lines = try records.map { record in
      String(decoding: try JSONSerialization.data(withJSONObject: record), as: UTF8.self)
    }
    try folder.write(lines.joined(separator: "\n"), to: "edited.ndjson")
    try run("storetool import edited.ndjson")
  }

  private func text(_ value: Any?) throws -> String { try #require(value as? String) }

  /// Returns `Z_OPT` of all rows.
  func versions() throws -> [Int: Int] {
    let lines = try run(
      "sqlite3 links.sqlite '"
        + ["ZA", "ZB", "ZC"].map { "SELECT ZN, Z_OPT FROM \($0)" }.joined(separator: " UNION ALL ")
        + "'")
    return Dictionary(
      uniqueKeysWithValues: lines.map { line in
        let values = line.split(separator: "|").compactMap { Int($0) }
        return (values[0], values[1])
      })
  }

  func lastTransaction() throws -> Int {
    Int(try run("sqlite3 links.sqlite 'SELECT coalesce(max(Z_PK), 0) FROM ATRANSACTION'")[0]) ?? 0
  }

  /// Returns the changes that the history contains.
  func changes(after transaction: Int) throws -> [Int: Set<String>] {
    var changes: [Int: Set<String>] = [:]
    for change in try objects("storetool history --changes --since \(transaction) --format ndjson")
    {
      // Keys are assigned in the order of the rows.
      let id = try text(change["id"]).split(separator: "/").suffix(2)
      let first = try #require(Self.rows[String(id.first?.prefix(1) ?? "")]).lowerBound
      let row = first + (Int(id.last?.dropFirst() ?? "") ?? 0) - 1
      #expect(changes[row] == nil, "one change for each row")
      changes[row] = Set(try #require(change["properties"] as? [String]))
    }
    return changes
  }

  // MARK: Edits

  func edit(
    of path: LinkWorld.Path, in world: LinkWorld, _ random: inout SeededGenerator
  ) -> LinkWorld.Edit {
    func some(_ entity: String, one: Bool) -> [Int] {
      let all = Array(Self.rows[entity] ?? 0...0)
      let count = one && random.below(8) > 0 ? 1 : random.below(4)
      return Array(all.shuffled(using: &random).prefix(count)).sorted()
    }
    let hasOneOwner = path.back.map { world.paths[$0]?.isToMany == false } ?? path.isToMany
    var edit = LinkWorld.Edit(
      isLink: random.below(3) > 0, sources: some(path.entity, one: hasOneOwner),
      destinations: some(path.destination, one: !path.isToMany))
    if !edit.isLink {
      edit.sources = some(path.entity, one: false)
      edit.destinations = Array(Self.rows[path.destination] ?? 0...0)
    }
    guard edit.isLink, path.isOrdered else { return edit }
    if random.below(2) == 0 { edit.destinations.reverse() }
    if random.below(2) == 0 { edit.position = random.below(3) }
    return edit
  }

  func request(
    _ edit: LinkWorld.Edit, _ path: LinkWorld.Path, _ random: inout SeededGenerator
  ) throws -> BatchLink {
    func rows(_ numbers: [Int]) throws -> FormatPredicate {
      try matching("n IN {\(numbers.map(String.init).joined(separator: ", "))}")
    }
    let isDescending = edit.destinations != edit.destinations.sorted()
    // A sub-entity has the relationships that it inherits.
    let isBelow = edit.sources.allSatisfy { $0.isMultiple(of: 3) } && path.entity != "C"
    return BatchLink(
      edit.isLink ? .link : .unlink,
      entity: isBelow && random.below(2) == 0 ? "\(path.entity)2" : path.entity,
      relationship: path.name, where: try rows(edit.sources), to: try rows(edit.destinations),
      at: edit.position,
      sort: isDescending ? [SortKey(try FormatExpression(parsing: "n"), isAscending: false)] : [])
  }

  func result(
    _ work: () async throws -> LinkResult
  ) async -> Result<LinkResult, StoreError> {
    do {
      return .success(try await work())
    } catch let failure as StoreError {
      return .failure(failure)
    } catch {
      Issue.record(error)
      return .success(.init(matchedSources: 0, matchedDestinations: 0))
    }
  }
}
