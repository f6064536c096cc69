import SampleData
import SeededRandom
import StoreDiagnostics
import StoreModel
import StoreTestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreImport
@testable import StoreLayout

/// Random sequences of imports by key, compared with a model in memory.
@Suite struct ImportSequenceTests {
  @Test(arguments: Seeds.named("IMPORT_SEEDS", otherwise: 1...25))
  func importsEqualTheModel(_ seed: UInt64) throws {
    let made = try GraphStore(LeagueModel.model)
    try made.store.close()
    try made.file.keepHistory()
    let store = try GraphStore(reopening: made)
    var generator = SeededGenerator(seed: seed)
    var league = LeagueModel()
    for run in 1...8 {
      let input = ImportRun(&generator, known: league)
      let before = league
      let versions = try Self.versions(store)
      league.apply(input)
      let work = try GraphImport(
        into: store.layout, store: store.store.metadata.uuid, entity: nil, rules: [], root: [],
        isStrict: true, on: .update, members: input.members)
      let outcome = try store.store.write {
        try work.run(MemorySource(Array(input.text.utf8), name: "in.json"), on: $0)
      }
      let place: Comment = "seed \(seed), run \(run), \(input.members):\n\(input.text)"
      let found = try LeagueModel(reading: store)
      if input.fillsLikes {
        // From the other side, new members come last, in an unspecified order.
        #expect(found.isSame(as: league, besideLikesAfter: before), place)
        league.likes = found.likes
      }
      #expect(found == league, place)
      let expected = league.summary(since: before, of: input)
      #expect(
        LeagueModel.Summary(outcome) == expected, place)
      try Self.expectVersions(
        store, before: versions, changed: league.changedRows(since: before), run, place)
      guard found == league else { return }
    }
  }

  /// Returns `Z_OPT` by row, such as `Team 3`.
  private static func versions(_ made: GraphStore) throws -> [String: Int64] {
    var all: [String: Int64] = [:]
    for table in made.layout.tables {
      let rows = try made.store.read {
        try $0.rows("SELECT Z_ENT, Z_PK, Z_OPT FROM \(name: table.name)")
      }
      for row in rows {
        let entity = made.layout.entity(numbered: row[0].integer ?? 0)?.name ?? "?"
        all["\(entity) \(row[1].integer ?? 0)"] = row[2].integer
      }
    }
    return all
  }

  /// Each changed row has one more version and one entry in the history. The other rows are unchanged.
  private static func expectVersions(
    _ made: GraphStore, before: [String: Int64], changed: Set<LeagueModel.Row>, _ run: Int,
    _ place: Comment
  ) throws {
    let after = try versions(made)
    let names = try LeagueModel.rowNames(made)
    let updated = Set(changed.compactMap { names[$0] })
    for (row, version) in after {
      guard let old = before[row] else {
        #expect(version == 1, "\(row) is new: \(place)")
        continue
      }
      // A hidden key is a column of its row, but not a property.
      let isHidden = row.hasPrefix("Badge") && version == old + 1
      #expect(version == (updated.contains(row) ? old + 1 : old) || isHidden, "\(row): \(place)")
    }
    let changes = try made.store.read { connection in
      try connection.rows(
        "SELECT ZENTITY, ZENTITYPK, ZCHANGETYPE FROM ACHANGE WHERE ZTRANSACTIONID = "
          + "(SELECT max(Z_PK) FROM ATRANSACTION)")
    }
    guard !changed.isEmpty || after.count > before.count else { return }
    var told: Set<String> = []
    for row in changes where row[2].integer == 1 {
      let entity = made.layout.entity(numbered: row[0].integer ?? 0)?.name ?? "?"
      told.insert("\(entity) \(row[1].integer ?? 0)")
    }
    #expect(told == updated, "history of \(place)")
  }
}
