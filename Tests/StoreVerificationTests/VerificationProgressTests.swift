import StoreTestSupport
import Testing
import StoreDiagnostics

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreLayout
@testable import StoreVerification

/// The progress of a check or a repair.
@Suite struct VerificationProgressTests {
  @Test func eachCheckIsToldBeforeItIsAsked() throws {
    let made = try GraphStore.sample()
    var steps: [WorkStep] = []
    _ = try made.store.verify(in: made.layout, progress: { steps.append($0) })
    #expect(steps.first == WorkStep("checking the file with SQLite"))
    let count = steps.count - 1
    #expect(count > 10)
    #expect(steps.dropFirst().map(\.purpose) == (1...count).map { "check \($0) of \(count)" })
    let shares = steps.compactMap(\.share)
    #expect(shares.first == 0.25)
    #expect(shares == shares.sorted())
    #expect(shares.allSatisfy { $0 < 1 })
  }

  @Test func aRepairTellsTheIndexesThatItMakes() throws {
    let made = try GraphStore.sample()
    let indexes = try made.store.write { connection in
      let indexes = try connection.databaseSchema().tables.values.flatMap(\.indexes)
        .filter { $0.definition != nil }.map(\.name).sorted()
      for index in indexes { try connection.run("DROP INDEX \(name: index)") }
      return indexes
    }
    var steps: [String] = []
    _ = try made.store.repair(in: made.layout, progress: { steps.append($0.purpose) })
    let told = steps.filter { $0.hasPrefix("creating index") }
    #expect(told.count == indexes.count)
    #expect(told.first?.hasPrefix("creating index 1 of \(indexes.count), ") == true)
  }
}
