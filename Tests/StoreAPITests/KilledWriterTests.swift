import Foundation
import SeededRandom
import StoreEngine
import StoreModel
import TestSupport
import Testing

/// A program that is killed during its transactions. The store contains each acknowledged transaction completely, and
/// each other transaction completely or not at all.
///
/// `KILL_SEEDS=17` repeats one seed. The moments of the kills depend on the machine, so runs may differ.
@Suite(.enabled(if: SQLiteShell.executable != nil), .timeLimit(.minutes(5)))
struct KilledWriterTests {
  private static let seeds = Seeds.named("KILL_SEEDS", otherwise: 1...2)
  private static let rows = 5

  @Test(arguments: ["WAL", "DELETE"], seeds)
  func whatIsAcknowledgedStays(_ journal: String, _ seed: UInt64) async throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let sample = try await SampleStore("Todo")
    try await sample.store.close()
    #expect(try sample.rows("PRAGMA journal_mode = \(journal)") == [journal.lowercased()])
    var (first, count) = (0, 0)
    for round in 0..<6 {
      let acknowledged = try await Self.write(
        to: sample.path, from: first, until: random.below(12), &random)
      if journal == "DELETE" {
        // Another process must roll back the incomplete transaction, because opening the store does not.
        #expect(try sample.rows("PRAGMA quick_check") == ["ok"])
      }
      let store = try await PersistentStore.open(sample.path, schema: TodoModel.self)
      let counts = try await store.fetch(Item.all.select(\.name))
        .reduce(into: [:]) { $0[$1, default: 0] += 1 }
      let message = "seed \(seed), round \(round), \(journal): \(acknowledged)"
      #expect(counts.values.allSatisfy { $0 == Self.rows }, "half a transaction, \(message)")
      for number in acknowledged {
        #expect(counts["transaction \(number)"] == Self.rows, "\(number) is lost, \(message)")
      }
      // One transaction may be committed without being acknowledged yet.
      #expect([0, 1].contains(counts.count - count - acknowledged.count), "\(message)")
      try await store.close()
      #expect(try sample.rows("PRAGMA integrity_check") == ["ok"])
      (first, count) = (first + acknowledged.count + 1, counts.count)
    }
    #expect(count > 0)
  }

  /// Starts a process that writes, and kills it shortly after it has acknowledged `count` transactions.
  ///
  /// - Returns: the acknowledged numbers.
  private static func write(
    to path: String, from first: Int, until count: Int, _ random: inout SeededGenerator
  ) async throws -> [Int] {
    let process = Process()
    let output = Pipe()
    process.executableURL = BuiltCommand.folder.appendingPathComponent("StoreWriter")
    process.arguments = [
      path, BuiltCommand.repository.appendingPathComponent("Models/Todo.xcdatamodeld").path,
      "\(rows)", "\(first)",
    ]
    process.standardOutput = output
    try process.run()
    var said = Data()
    while said.count(where: { $0 == UInt8(ascii: "\n") }) < count {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { break }
      said += piece
    }
    try await Task.sleep(for: .microseconds(random.below(30_000)))
    #expect(process.isRunning)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    said += output.fileHandleForReading.readDataToEndOfFile()
    return String(decoding: said, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
  }
}
