import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// For files and folders without permission, commands end with 74, and the message contains the path.
@Suite(.enabled(if: OrdinaryUser.isAvailable, "commands can't be run as an ordinary user here"))
struct PermissionTests {
  private let samples: SampleFolder

  init() throws {
    samples = try SampleFolder()
    try samples.expect("storetool create --model Models/Todo.xcdatamodeld")
    try samples.expect("storetool insert Item name=old")
  }

  private func run(_ command: String) throws -> BuiltCommand.Result {
    try samples.shell.run("\(OrdinaryUser.prefix) storetool \(command)")
  }

  @Test func aStoreThatCannotBeRead() throws {
    try samples.expect("chmod 000 Todo.sqlite")
    for command in ["fetch Item --store Todo.sqlite", "info --store Todo.sqlite"] {
      let outcome = try run(command)
      #expect(outcome.status == 74)
      #expect(
        outcome.errors
          == "error: 'Todo.sqlite' can't be opened: permission denied [store.no-permission]\n")
    }
  }

  /// The modes of the file and of its folder. Writing requires both.
  static let rights = [("444", "555"), ("444", "777"), ("666", "555")]

  @Test(arguments: StockFolder.JournalMode.allCases, rights)
  func aStoreThatCannotBeWritten(
    _ journal: StockFolder.JournalMode, rights: (file: String, folder: String)
  ) throws {
    let stock = try StockFolder(rows: 100)
    try stock.setJournal(journal)
    let line = "cksum stock.sqlite; ls"
    try stock.samples.expect("chmod \(rights.file) stock.sqlite && chmod \(rights.folder) .")
    let before = try stock.samples.expect(line)
    for command in StockFolder.commands {
      let outcome = try stock.samples.shell.run(
        "\(OrdinaryUser.prefix) storetool \(StockFolder.line(command)) --model \(StockFolder.model)"
      )
      #expect(outcome.status == 74, "\(command)")
      #expect(outcome.output.isEmpty)
      #expect(
        outcome.errors == """
          error: 'stock.sqlite' can't be written [store.read-only]
            help: writing requires write permission for the file, and for its folder, which contains the journal

          """, "\(command)")
      #expect(try stock.samples.expect(line) == before, "\(command)")
    }
    try stock.samples.expect("chmod 755 .")
  }

  /// Reading doesn't require permission to write.
  @Test func aStoreThatCanOnlyBeRead() throws {
    try samples.expect("chmod 444 Todo.sqlite && chmod 555 .")
    let outcome = try run("fetch Item --count")
    try samples.expect("chmod 755 .")
    #expect(outcome.status == 0)
    #expect(outcome.output == "1\n")
  }

  @Test func aFolderThatTakesNoStore() throws {
    try samples.expect("mkdir closed && chmod 555 closed")
    let outcome = try run("create closed/new.sqlite --model Models/Todo.xcdatamodeld")
    #expect(outcome.status == 74)
    #expect(
      outcome.errors
        == "error: 'closed/new.sqlite' can't be opened: permission denied [store.no-permission]\n")
    #expect(try samples.expect("ls closed").isEmpty)
  }

  @Test func inputThatCannotBeRead() throws {
    try samples.folder.write(#"{"name": "new"}"#, to: "new.ndjson")
    try samples.expect("chmod 000 new.ndjson && chmod 666 Todo.sqlite && chmod 777 .")
    let outcome = try run("batch-insert Item new.ndjson")
    #expect(outcome.status == 74)
    #expect(
      outcome.errors
        == "error: 'new.ndjson' can't be read: permission denied [input.unreadable]\n")
  }

  @Test func aModelThatCannotBeRead() throws {
    try samples.expect("chmod 000 'Models/Todo.xcdatamodeld/Todo 2.xcdatamodel/contents'")
    let outcome = try run("model show Models/Todo.xcdatamodeld")
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("Todo 2.xcdatamodel/contents"))
  }
}

/// Runs lines without the privileges of root.
enum OrdinaryUser {
  static let prefix =
    geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""

  /// For root, this requires setpriv, and a build folder that other users can read.
  static let isAvailable: Bool = {
    SampleFolder.canRun("\(prefix) storetool model check Models/Todo.xcdatamodeld")
  }()
}
