import RecordFormats
import SampleData
import SeededRandom
import StoreImport
import StoreModel
import StoreTestSupport
import Testing
import TestSupport
import StoreCore

/// An export is equal to the imported data, for all variants of the import.
@Suite struct ImportExportRoundTripTests {
  static let seeds: [UInt64] = Array(1...8)

  private func storeBySQL(_ graph: RandomGraph) throws -> GraphStore {
    let made = try GraphStore()
    try made.store.write { try graph.insert(into: $0, made.layout) }
    return made
  }

  private func expectEqual(
    _ left: [String], _ right: [String], _ seed: UInt64,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard left != right else { return }
    let difference = Golden.lineDifference(
      from: left.joined(separator: "\n"), to: right.joined(separator: "\n"))
    Issue.record("seed \(seed):\n\(difference.prefix(4000))", sourceLocation: sourceLocation)
  }

  /// `import` writes the same rows, keys, counters, versions, orders and pairs as handwritten SQL.
  @Test(arguments: seeds) func importWritesTheRowsThatCoreDataWould(seed: UInt64) throws {
    let graph = RandomGraph(seed: seed, count: 6)
    let expected = try storeBySQL(graph).dump()
    for isOneSided in [false, true] {
      let made = try GraphStore()
      let text = graph.ndjson(order: Array(graph.objects.indices), isOneSided: isOneSided)
      let outcome = try made.importing(text, strict: true)
      #expect(outcome.records == graph.objects.count)
      expectEqual(expected, try made.dump(), seed)
    }
  }

  @Test(arguments: seeds) func exportThenImportThenExportIsEqual(seed: UInt64) throws {
    let graph = RandomGraph(seed: seed, count: 6)
    let first = try storeBySQL(graph)
    let lines = try first.exported()
    let canonical = try CanonicalExport(lines, of: GraphModel.model)
    #expect(canonical.lines.count > graph.objects.count * 5)
    for format in [RowFormat.ndjson, .json] {
      let second = try GraphStore()
      try second.importing(first.exported(as: format), strict: true)
      // The export is sorted by entity and key, so the new keys are equal, too.
      expectEqual(try first.dump(), try second.dump(), seed)
      let again = try CanonicalExport(second.exported(as: format), of: GraphModel.model)
      expectEqual(canonical.lines, again.lines, seed)
    }
  }

  /// Forward references and cycles. The order of the records has no effect.
  @Test(arguments: seeds) func recordsMayComeInAnyOrder(seed: UInt64) throws {
    let graph = RandomGraph(seed: seed, count: 6)
    let expected = try CanonicalExport(storeBySQL(graph).exported(), of: GraphModel.model)
    var generator = SeededGenerator(seed: seed)
    let made = try GraphStore()
    try made.importing(
      graph.ndjson(
        order: graph.objects.indices.shuffled(using: &generator), isOneSided: seed % 2 == 0),
      strict: true)
    let exported = try made.exported()
    expectEqual(expected.lines, try CanonicalExport(exported, of: GraphModel.model).lines, seed)
  }

  @Test func anEmptyStoreExportsNothing() throws {
    let made = try GraphStore()
    #expect(try made.exported() == "")
    #expect(try made.exported(as: .json) == "[]\n")
    #expect(try made.importing("[]").records == 0)
    #expect(try made.importing("").records == 0)
  }
}
