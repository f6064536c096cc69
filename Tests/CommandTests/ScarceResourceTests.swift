import Foundation
import TestSupport
import Testing

/// With too few resources, a command ends with 74 and a message, never by a signal, and the store is unchanged.
struct ScarceResourceTests {
  private let stock: StockFolder

  init() throws {
    stock = try StockFolder(rows: 500)
  }

  private static let reading = [
    ["info"], ["verify"], ["verify", "--repair"], ["export"], ["history"], ["fetch", "Part"],
  ]

  /// Closes inherited descriptors. Another test that starts a program at the same time may have left one open in this
  /// process.
  private static let closesInherited =
    #"for fd in /dev/fd/*; do fd=${fd##*/}; [ "$fd" -le 2 ] || eval "exec $fd>&-"; done"#

  /// With fewer than five open files, the loader of a dynamically linked program doesn't find its libraries.
  @Test(arguments: StockFolder.commands + reading)
  func fewOpenFiles(_ command: [String]) throws {
    let before = try stock.state()
    for files in [5, 7, 8, 12, 26, 27] {
      try stock.copy()
      let outcome = try stock.samples.shell.run(
        """
        export STORETOOL_MODEL=\(StockFolder.model) STORETOOL_STORE=copy.sqlite
        \(Self.closesInherited)
        ulimit -n \(files); exec storetool \(StockFolder.line(command))
        """)
      // `verify` finds errors in the store, so it ends with 1.
      let done: Int32 = command == ["verify"] ? 1 : 0
      #expect([done, 74].contains(outcome.status), "\(files) files: \(outcome.errors)")
      guard outcome.status == 74 else { continue }
      #expect(outcome.output.isEmpty)
      #expect(
        outcome.errors == """
          error: only \(files - 3) more files can be opened, but a command may require 24 [system.open-files]
            help: raise the limit of open files: ulimit -n 256

          """)
      #expect(try stock.state(of: "copy.sqlite") == before, "\(files) files")
    }
  }

  /// With a limit on addresses, the loader fails in its own way until the libraries fit. With a higher limit, the
  /// command ends with 74. If a command starts its work, it has enough memory to complete it. No command hangs.
  @Test(
    .enabled(if: SampleFolder.canRun("ulimit -v 400000"), "addresses can't be limited here"),
    arguments: [
      ["info"], ["verify"], ["export"], ["insert", "Part", "code=0", "name=new"],
      ["batch-insert", "Part", "new.ndjson"],
    ])
  func littleMemory(_ command: [String]) throws {
    let before = try stock.state()
    var statuses: [Int32] = []
    for megabytes in stride(from: 20, through: 300, by: 20) {
      try stock.copy()
      let outcome = try stock.samples.shell.run(
        """
        export STORETOOL_MODEL=\(StockFolder.model) STORETOOL_STORE=copy.sqlite
        ulimit -v \(megabytes * 1000); exec storetool \(StockFolder.line(command))
        """)
      if statuses.contains(74) || outcome.status == 74 { statuses.append(outcome.status) }
      guard outcome.status == 74 else { continue }
      #expect(
        outcome.errors == """
          error: can't allocate another 64 MB of memory [system.memory]
            help: raise the limit of address space: ulimit -v 400000

          """)
      #expect(try stock.state(of: "copy.sqlite") == before)
    }
    let done: Int32 = command == ["verify"] ? 1 : 0
    #expect(statuses.allSatisfy { [done, 74].contains($0) }, "\(statuses)")
    #expect(statuses.first == 74 && statuses.last == done)
  }

  /// Swift reads the arguments from `/proc`.
  @Test(
    .enabled(if: SmallDisk.isAvailable, "a disk can't be mounted in a separate namespace here"))
  func withoutProc() throws {
    let outcome = try stock.samples.shell.run(
      """
      unshare --mount $([ $(id -u) = 0 ] || echo --map-root-user) \
      bash -c 'mount -t tmpfs none /proc && storetool insert Item name=x'
      """)
    #expect(outcome.status == 74)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors == """
        error: the arguments of the command can't be read [system.no-arguments]
          help: on Linux they are read from /proc, which must be mounted

        """)
  }

  /// `ulimit -f` sends SIGXFSZ to a process that writes more.
  @Test(arguments: [["--dry-run"], [], ["--no-backup"]])
  func aLimitOnTheSizeOfFiles(_ options: [String]) throws {
    let folder = try MigrationFolder(rows: 3000)
    try folder.copy()
    let before = try folder.state()
    let line = folder.arguments(options).map { "'\($0)'" }.joined(separator: " ")
    let outcome = try folder.samples.shell.run("ulimit -f 200; exec storetool \(line)")
    #expect(outcome.status == 74)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("[store.io]"))
    #expect(try folder.state() == before)
    #expect(try folder.leftovers().isEmpty)
  }
}
