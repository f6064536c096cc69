import Foundation
import TestSupport
import Testing

/// The disk fills up while a command writes: status 74, the store as it was, nothing left behind.
///
/// The disk is a small one in memory that only the shell of the test sees.
@Suite(
  .enabled(if: SmallDisk.isAvailable, "a disk can't be mounted in a namespace of its own here"))
struct FullDiskTests {
  private let samples: SampleFolder

  init() throws {
    samples = try SampleFolder()
  }

  /// Runs lines in a folder that is the disk; the models are in `../Models`.
  private func run(_ lines: String, kilobytes: Int) throws -> BuiltCommand.Outcome {
    try samples.folder.write("set -u; cd disk\n\(lines)\n", to: "lines.sh")
    return try samples.shell.run(SmallDisk.line("bash lines.sh", kilobytes: kilobytes))
  }

  private let manyRows = #"for i in $(seq 20000); do echo "{\"name\": \"row number $i\"}"; done"#

  private func expectRollback(by command: String) throws {
    let outcome = try run(
      """
      export STORETOOL_MODEL=../Models/Todo.xcdatamodeld
      storetool create todo.sqlite 2> /dev/null && storetool insert Item name=old > /dev/null
      cp todo.sqlite ../before.sqlite
      \(manyRows) > ../rows.ndjson
      \(command); echo "status $?"
      cmp todo.sqlite ../before.sqlite && ls
      storetool fetch Item --select name
      """, kilobytes: 400)
    #expect(
      outcome.output == """
        status 74
        todo.sqlite
        {"name":"old"}

        """)
    #expect(
      outcome.errors
        == "error: the disk is full; 'todo.sqlite' is as it was [store.disk-full]\n")
  }

  @Test func batchInsertIsRolledBack() throws {
    try expectRollback(by: "storetool batch-insert Item ../rows.ndjson")
  }

  @Test func importIsRolledBack() throws {
    try expectRollback(by: "storetool import ../rows.ndjson --entity Item")
  }

  @Test func aStoreThatDoesNotFitIsNotThere() throws {
    let outcome = try run(
      """
      storetool create todo.sqlite --model ../Models/Todo.xcdatamodeld; echo "status $?"; ls
      """, kilobytes: 16)
    #expect(outcome.output == "status 74\n")
    #expect(
      outcome.errors
        == "error: the disk is full; 'todo.sqlite' is as it was [store.disk-full]\n")
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
      outcome.errors.hasPrefix("error: the output cannot be written: No space left on device"))
  }
}

/// A file system of a few kilobytes, mounted on the folder `disk`.
enum SmallDisk {
  static func line(_ line: String, kilobytes: Int) -> String {
    // A user other than root may mount in a user namespace, where the system allows those.
    """
    mkdir -p disk; unshare --mount $([ $(id -u) = 0 ] || echo --map-root-user) \
    bash -c 'mount -t tmpfs -o size=\(kilobytes)k none disk && \(line)'
    """
  }

  static let isAvailable: Bool = {
    SampleFolder.canRun(line("true", kilobytes: 100))
  }()
}
