import Foundation
import TestSupport
import Testing

/// If the disk becomes full while a command writes, the command ends with 74, the store is unchanged, and no files
/// remain.
///
/// The disk is a small file system in memory that is only visible in the test's shell.
@Suite(
  .enabled(if: SmallDisk.isAvailable, "a disk can't be mounted in a separate namespace here"))
struct FullDiskTests {
  private let samples: SampleFolder

  init() throws {
    samples = try SampleFolder()
  }

  /// Runs lines in the folder of the disk. The models are in `../Models`.
  private func run(_ lines: String, kilobytes: Int) throws -> BuiltCommand.Result {
    try samples.folder.write("set -u; cd disk\n\(lines)\n", to: "lines.sh")
    return try samples.shell.run(SmallDisk.line("bash lines.sh", kilobytes: kilobytes))
  }

  private let manyRows = #"for i in $(seq 20000); do echo "{\"name\": \"row number $i\"}"; done"#

  private static let help = """
      help: free space on the disk of the store or of temporary files: /var/tmp or /tmp, \
    unless SQLITE_TMPDIR or TMPDIR names another folder

    """

  /// Either the command succeeds, or it doesn't change any file, and the store can be read immediately. With little
  /// space it fails, even if SQLite has already begun to write to the store.
  @Test(arguments: StockFolder.commands, StockFolder.JournalMode.allCases)
  func aWriteIsRolledBack(_ command: [String], journal: StockFolder.JournalMode) throws {
    let stock = try StockFolder()
    try stock.setJournal(journal)
    let size = try FileManager.default.attributesOfItem(atPath: stock.path())[.size] as? Int ?? 0
    var statuses: [Int32] = []
    // With a rollback journal, the store itself is also written to before the disk is full.
    for room in command.first == "insert" ? [0] : journal == .wal ? [48] : [48, 640] {
      try stock.samples.folder.write(Self.attempt(command), to: "lines.sh")
      let outcome = try stock.samples.shell.run(
        SmallDisk.line("bash lines.sh", kilobytes: size / 1024 + room))
      statuses.append(outcome.status)
      guard outcome.status != 0 else { continue }
      #expect(outcome.status == 74, "\(room)")
      #expect(outcome.output == "4000\n")
      #expect(
        outcome.errors == """
          error: the disk is full; 'disk/stock.sqlite' is unchanged [store.disk-full]
          \(Self.help)
          """)
    }
    #expect(statuses.first == 74)
  }

  /// Runs a command on a store in `disk`, and exits with the status of the command.
  private static func attempt(_ command: [String]) -> String {
    """
    export STORETOOL_MODEL=\(StockFolder.model) STORETOOL_STORE=disk/stock.sqlite
    cp stock.sqlite disk/stock.sqlite || exit 99
    storetool \(StockFolder.line(command)) > out; status=$?
    [ $status = 0 ] && exit 0
    [ -s out ] && exit 98
    cmp stock.sqlite disk/stock.sqlite || exit 97
    # SQLite leaves these, empty, where not even they had room.
    [ -s disk/stock.sqlite-wal -o -e disk/stock.sqlite-journal ] && exit 96
    storetool fetch Part --count || exit 95
    exit $status
    """
  }

  /// The store has enough space, but the temporary files for keys and new values don't.
  @Test func temporaryFilesHaveNoRoom() throws {
    let stock = try StockFolder(rows: 20_000)
    let before = try stock.state()
    var failed = 0
    for command in StockFolder.commands {
      try stock.copy()
      try stock.samples.folder.write(
        """
        export STORETOOL_MODEL=\(StockFolder.model) STORETOOL_STORE=copy.sqlite SQLITE_TMPDIR=disk
        storetool \(StockFolder.line(command)) > out; status=$?; ls disk; exit $status
        """, to: "lines.sh")
      let outcome = try stock.samples.shell.run(SmallDisk.line("bash lines.sh", kilobytes: 16))
      #expect(outcome.output.isEmpty)
      guard outcome.status != 0 else { continue }
      failed += 1
      #expect(outcome.status == 74, "\(command)")
      #expect(
        outcome.errors == """
          error: the disk is full; 'copy.sqlite' is unchanged [store.disk-full]
          \(Self.help)
          """)
      #expect(try stock.state(of: "copy.sqlite") == before, "\(command)")
    }
    #expect(failed > 3)
  }

  @Test func aStoreThatDoesNotFitIsNotThere() throws {
    let outcome = try run(
      """
      storetool create todo.sqlite --model ../Models/Todo.xcdatamodeld; echo "status $?"; ls
      """, kilobytes: 16)
    #expect(outcome.output == "status 74\n")
    #expect(
      outcome.errors
        == "error: the disk is full; 'todo.sqlite' is unchanged [store.disk-full]\n\(Self.help)")
  }

  @Test func outputThatDoesNotFit() throws {
    let outcome = try run(
      """
      cd ..; storetool create todo.sqlite --model Models/Todo.xcdatamodeld 2> /dev/null
      \(manyRows) | storetool batch-insert Item 2> /dev/null
      storetool export > disk/export.ndjson; echo "status $?"
      """, kilobytes: 100)
    #expect(outcome.output == "status 74\n")
    #expect(
      outcome.errors.hasPrefix("error: can't write the output: No space left on device"))
  }

  /// A folder of several files, of which either only the first ones or all fit on the disk.
  @Test(arguments: [8, 16, 400])
  func aModelBundleIsThereWholeOrNotAtAll(kilobytes: Int) throws {
    let outcome = try run(
      """
      storetool model decompile ../Models/Journal.xcdatamodeld -o Copy.xcdatamodeld; s=$?
      ls -A; find . -type f | wc -l | tr -d ' '; exit $s
      """, kilobytes: kilobytes)
    guard kilobytes < 400 else {
      #expect(outcome.status == 0)
      #expect(outcome.output == "Copy.xcdatamodeld\n6\n")
      return
    }
    #expect(outcome.status == 74)
    #expect(outcome.output == "0\n")
    #expect(
      outcome.errors
        == "error: 'Copy.xcdatamodeld' can't be written: the disk is full [bundle.unwritable]\n")
  }
}

/// A file system of a few kilobytes that is mounted on the folder `disk`.
enum SmallDisk {
  static func line(_ line: String, kilobytes: Int) -> String {
    // If the system allows it, a user other than root can mount file systems in a user namespace.
    """
    mkdir -p disk; unshare --mount $([ $(id -u) = 0 ] || echo --map-root-user) \
    bash -c 'mount -t tmpfs -o size=\(kilobytes)k none disk && \(line)'
    """
  }

  static let isAvailable: Bool = {
    SampleFolder.canRun(line("true", kilobytes: 100))
  }()
}
