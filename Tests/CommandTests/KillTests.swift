import Foundation
import GRDB
import TestSupport
import Testing

/// A command that writes is killed at any moment: the store is as before or as after, nothing between.
struct KillTests {
  private let samples: SampleFolder

  init() throws {
    samples = try SampleFolder()
    try samples.folder.write(Self.model, to: "Stock.xml")
    try samples.folder.write(Self.parts(1...Self.rows, amount: 1), to: "parts.ndjson")
    try samples.folder.write(
      Self.parts(Self.rows / 2...Self.rows * 2, amount: 9), to: "more.ndjson")
    try samples.expect("storetool create full.sqlite --model Stock.xml")
    try samples.expect(
      "storetool batch-insert Part parts.ndjson --store full.sqlite --model Stock.xml")
  }

  private static let rows = 4_000

  /// With an index that a large update builds anew, and one that keeps values unique.
  private static let model = """
    <?xml version="1.0"?>
    <model><entity name="Part">
      <attribute name="amount" attributeType="Integer 32" optional="YES"/>
      <attribute name="code" attributeType="Integer 64"/>
      <attribute name="name" attributeType="String" optional="YES" indexed="YES"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="code"/>
      </uniquenessConstraint></uniquenessConstraints>
    </entity></model>
    """

  private static func parts(_ codes: ClosedRange<Int>, amount: Int) -> String {
    codes.map { #"{"code": \#($0), "amount": \#(amount), "name": "part \#($0 * 7919 % 10007)"}"# }
      .joined(separator: "\n")
  }

  static let commands = [
    ["batch-update", "Part", "amount=7"],
    ["batch-update", "Part", "code:=code + 1", "name:=uppercase:(name)"],
    ["batch-insert", "Part", "more.ndjson", "--on-conflict", "update"],
    ["batch-insert", "Part", "more.ndjson", "--on-conflict", "ignore"],
    ["batch-delete", "Part", "--where", "modulus:by:(code, 2) == 0"],
    ["batch-delete", "Part", "--where", "code < 100"],
  ]

  /// Moments for each command: over 200 in all.
  private static let moments = 34

  @Test(arguments: commands) func atAnyMoment(_ arguments: [String]) throws {
    var generator = SeededGenerator(seed: 11)
    let before = try state(of: "full.sqlite")
    try copy()
    let start = ContinuousClock.now
    #expect(try run(arguments, for: .seconds(600)) == 0)
    let duration = ContinuousClock.now - start
    let after = try state(of: "copy.sqlite")
    #expect(before != after)
    var killed = 0
    for _ in 0..<Self.moments {
      try copy()
      let share = Double.random(in: 0...1, using: &generator)
      if try run(arguments, for: duration * share) == SIGKILL { killed += 1 }
      let found = try state(of: "copy.sqlite")
      #expect(found == before || found == after, "killed after \(duration * share): \(found)")
    }
    #expect(killed > 0)
  }

  private func copy() throws {
    for suffix in ["", "-wal", "-shm"] {
      let path = samples.folder.path("copy.sqlite") + suffix
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
    try FileManager.default.copyItem(
      atPath: samples.folder.path("full.sqlite"), toPath: samples.folder.path("copy.sqlite"))
  }

  /// Runs a command and kills it after a while, unless it has ended.
  ///
  /// - Returns: its exit status, or the number of the signal.
  private func run(_ arguments: [String], for duration: Duration) throws -> Int32 {
    let process = Process()
    process.executableURL = BuiltCommand.folder.appendingPathComponent("storetool")
    process.arguments = arguments + ["--store", "copy.sqlite", "--model", "Stock.xml"]
    process.currentDirectoryURL = samples.folder.url
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let (seconds, attoseconds) = duration.components
    let limit = DispatchTime.now() + Double(seconds) + Double(attoseconds) / 1e18
    if ended.wait(timeout: limit) == .timedOut {
      kill(process.processIdentifier, SIGKILL)
      ended.wait()
    }
    return process.terminationStatus
  }

  /// All that a write changes, in a line.
  private func state(of name: String) throws -> String {
    try DatabaseQueue(path: samples.folder.path(name)).write { database in
      #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
      let rows = try Row.fetchOne(
        database,
        sql: """
          SELECT count(*), sum(ZAMOUNT), sum(ZCODE), sum(Z_OPT), sum(length(ZNAME)), max(ZNAME), \
          (SELECT Z_MAX FROM Z_PRIMARYKEY), \
          (SELECT group_concat(name) FROM (SELECT name FROM sqlite_master ORDER BY name)) \
          FROM ZPART
          """)
      return "\(rows?.databaseValues.map(\.description) ?? [])"
    }
  }
}
