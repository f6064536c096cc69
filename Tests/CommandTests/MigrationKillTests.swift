import Foundation
import GRDB
import TestSupport
import Testing

/// Whatever happens to a migration, the store is as before or as after, nothing between.
struct MigrationKillTests {
  private let folder: MigrationFolder

  init() throws {
    folder = try MigrationFolder()
  }

  private func run(
    _ signal: Int32? = nil, after moment: Duration = .zero
  ) throws -> (status: Int32, isSignal: Bool, errors: String) {
    let process = Process()
    process.executableURL = BuiltCommand.folder.appendingPathComponent("storetool")
    process.arguments =
      MigrationFolder.migrate + ["--store", "copy.sqlite", "--model", MigrationFolder.model]
    process.currentDirectoryURL = folder.samples.folder.url
    try folder.samples.folder.write("", to: "errors")
    process.standardError = try FileHandle(
      forWritingTo: URL(fileURLWithPath: folder.path("errors")))
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    if let signal {
      Thread.sleep(forTimeInterval: moment / .seconds(1))
      kill(process.processIdentifier, signal)
    }
    process.waitUntilExit()
    return (
      process.terminationStatus, process.terminationReason == .uncaughtSignal,
      try String(contentsOfFile: folder.path("errors"), encoding: .utf8)
    )
  }

  @Test(arguments: [(SIGKILL, 25), (SIGINT, 8), (SIGTERM, 4)])
  func endedAtAnyMoment(signal: Int32, moments: Int) throws {
    try folder.copy()
    let before = try folder.state()
    let start = ContinuousClock.now
    #expect(try run().status == 0)
    let duration = ContinuousClock.now - start
    let after = try folder.state()
    #expect(before != after)
    var generator = SeededGenerator(seed: 5)
    var stopped = 0
    for _ in 0..<moments {
      try folder.copy()
      let moment = duration * Double.random(in: 0...1, using: &generator)
      let ending = try run(signal, after: moment)
      let found = try folder.state()
      #expect(found == before || found == after, "\(moment): \(found.difference(from: before))")
      #expect(try folder.pending() == (found == before ? 1 : 0))
      if found == before { stopped += 1 }
      guard !ending.isSignal else { continue }
      // A cancelled one says so and has changed nothing.
      #expect(ending.status == 0 && found == after || ending.status == 130 && found == before)
      if ending.status == 130 {
        #expect(ending.errors.contains("error: cancelled; "), "\(ending.errors)")
      }
    }
    #expect(stopped > 0)
  }

  // MARK: Locks

  static let locks = ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "SELECT count(*) FROM ZPART"]

  /// Also one who only has it open: the store would change under its feet.
  @Test(arguments: locks)
  func someoneElseHasTheStore(_ statement: String) throws {
    try folder.copy()
    let queue = try DatabaseQueue(path: folder.path("copy.sqlite"))
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: statement)
      let ending = try run()
      #expect(ending.status == 75)
      #expect(
        ending.errors == """
          error: another process holds 'copy.sqlite' [store.locked]
            help: try again when it has finished

          """)
      if statement.hasPrefix("BEGIN") { try database.execute(sql: "ROLLBACK") }
    }
    try queue.close()
    #expect(try folder.pending() == 1)
  }

  // MARK: Full disk

  @Test(
    .enabled(if: SmallDisk.isAvailable, "a disk can't be mounted in a namespace of its own here"),
    arguments: ["", "--no-backup"])
  func theDiskIsFull(_ backup: String) throws {
    let size =
      try FileManager.default.attributesOfItem(atPath: folder.path())[.size] as? Int ?? 0
    try folder.samples.folder.write(
      """
      export STORETOOL_MODEL=\(MigrationFolder.model) STORETOOL_STORE=disk/parts.sqlite
      cp parts.sqlite disk/parts.sqlite || exit 99
      storetool migrate --allow-loss all \(backup) 2>errors; status=$?
      storetool migrate --check > /dev/null; pending=$?
      [ $status = 0 ] && [ $pending = 0 ] && exit 0
      [ $pending = 1 ] || exit 98
      cmp parts.sqlite disk/parts.sqlite || exit 97
      [ "$(ls disk)" = parts.sqlite ] || { ls disk; exit 96; }
      exit $status
      """, to: "lines.sh")
    var statuses: [Int32] = []
    for step in 0..<12 {
      let room = size / 1024 * step / 2
      let outcome = try folder.samples.shell.run(
        SmallDisk.line("bash lines.sh", kilobytes: size / 1024 + 16 + room))
      #expect([0, 74].contains(outcome.status), "\(room): \(outcome.output)")
      statuses.append(outcome.status)
    }
    #expect(statuses.first == 74 && statuses.last == 0)
    #expect(statuses == statuses.sorted(by: >))
  }
}
