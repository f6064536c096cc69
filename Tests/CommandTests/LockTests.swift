import Foundation
import GRDB
import TestSupport
import Testing

/// Another process, this one, holds a store while a command wants it: status 75, nothing changed.
struct LockTests {
  private let samples: SampleFolder
  private let store: String

  init() throws {
    samples = try SampleFolder()
    store = samples.folder.path("Todo.sqlite")
    try samples.expect("storetool create --model Models/Todo.xcdatamodeld")
    try samples.expect("storetool insert Item name=old")
    try samples.folder.write(#"{"name": "new"}"#, to: "new.ndjson")
  }

  static let writingCommands = [
    "insert Item name=new", "batch-insert Item new.ndjson", "import new.ndjson --entity Item",
  ]

  /// Runs a command while this process holds what `lock` takes.
  private func run(_ command: String, while lock: String) throws -> BuiltCommand.Outcome {
    let queue = try DatabaseQueue(path: store)
    return try queue.writeWithoutTransaction { database in
      try database.execute(sql: lock)
      defer { try? database.execute(sql: "ROLLBACK") }
      return try samples.shell.run("storetool " + command)
    }
  }

  private func expectLocked(_ outcome: BuiltCommand.Outcome) throws {
    #expect(outcome.status == 75)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors == """
        error: another process holds 'Todo.sqlite' [store.locked]
          help: try again when it has finished

        """)
    #expect(try samples.expect("storetool fetch Item --select name") == "{\"name\":\"old\"}\n")
  }

  @Test(arguments: writingCommands)
  func aWriterStopsAWriter(_ command: String) throws {
    try expectLocked(run(command, while: "BEGIN IMMEDIATE"))
  }

  @Test(arguments: ["fetch Item --count", "export --format csv", "apply-template openItems --ids"])
  func aWriterDoesNotStopAReader(_ command: String) throws {
    let outcome = try run(
      command,
      while: "BEGIN IMMEDIATE; INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (2, 1, 1, 'x')")
    #expect(outcome.status == 0)
    #expect(outcome.errors.isEmpty)
    #expect(outcome.output.split(separator: "\n").count <= 2)
    #expect(!outcome.output.contains("\"x\""))
  }

  /// A store with a rollback journal can't be read while a commit is under way.
  @Test(arguments: writingCommands + ["fetch Item", "info", "export"])
  func anExclusiveLockStopsAll(_ command: String) throws {
    try DatabaseQueue(path: store).writeWithoutTransaction { database in
      _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
    }
    try expectLocked(run(command, while: "BEGIN EXCLUSIVE"))
  }
}
