import Foundation
import TestSupport
import Testing

/// If the disk becomes full while a migration runs, which the earlier check of the free space can't predict.
struct MigrationDiskTests {
  private typealias Setting = FaultTrial.Setting

  private static let points = 13

  @Test(
    .enabled(if: FaultInjection.isAvailable, "no library can be loaded into a command here"),
    arguments: Setting.all)
  private func theDiskFillsUp(_ setting: Setting) throws {
    var trial = try FaultTrial(setting, rows: 400)
    let count = try trial.count(.files)
    var failed = 0
    for point in 0..<Self.points {
      let call = 1 + (count - 1) * point / (Self.points - 1)
      let fault = FaultInjection(counted: .files, call: call, action: .full)
      let (ending, isDone) = try trial.run(with: fault)
      guard ending.status != 0 else {
        #expect(isDone, "\(call) of \(count): \(ending)")
        continue
      }
      failed += 1
      #expect(!isDone && ending.status == 74, "\(call) of \(count): \(ending)")
      #expect(
        ["[store.disk-full]", "[store.io]"].contains { ending.errors.contains($0) },
        "\(call) of \(count): \(ending)")
      // The backup is either complete or missing.
      let leftovers = try trial.folder.leftovers()
      #expect(
        [[], ["backup", "files of the backup"]].contains(leftovers), "\(call): \(leftovers)")
    }
    #expect(failed > 3)
  }

  private static let noDisk: Comment = "a disk can't be mounted in a separate namespace here"

  /// Disks of increasing size, from too small for any file to large enough. If the required size is known before the
  /// start, the command fails before it writes.
  @Test(.enabled(if: SmallDisk.isAvailable, noDisk), arguments: ["", "--no-backup"])
  func theDiskIsSmall(_ backup: String) throws {
    let folder = try MigrationFolder(rows: 6_000)
    let size =
      try FileManager.default.attributesOfItem(atPath: folder.path())[.size] as? Int ?? 0
    try folder.samples.folder.write(
      """
      export STORETOOL_MODEL=\(MigrationFolder.model) STORETOOL_STORE=disk/parts.sqlite
      cp -a parts.sqlite .parts_SUPPORT disk || exit 99
      storetool migrate --allow-loss all \(backup) 2>errors; status=$?
      storetool migrate status --check > /dev/null; pending=$?
      [ $status = 0 ] && [ $pending = 0 ] && exit 0
      [ $pending = 1 ] || exit 98
      cmp parts.sqlite disk/parts.sqlite || exit 97
      [ "$(ls disk)" = parts.sqlite ] || { ls disk; exit 96; }
      exit $status
      """, to: "lines.sh")
    var statuses: [Int32] = []
    for step in 0..<10 {
      let room = size / 1024 * step
      let outcome = try folder.samples.shell.run(
        SmallDisk.line("bash lines.sh", kilobytes: size / 1024 + 48 + room))
      #expect([0, 74].contains(outcome.status), "\(room): \(outcome.output)")
      statuses.append(outcome.status)
    }
    #expect(statuses.first == 74 && statuses.last == 0)
    #expect(statuses == statuses.sorted(by: >))
  }

  /// The size of the sorted data isn't known in advance.
  @Test(.enabled(if: SmallDisk.isAvailable, noDisk))
  func temporaryFilesHaveNoRoom() throws {
    let folder = try MigrationFolder(rows: 30_000)
    try folder.copy()
    try folder.samples.folder.write(
      """
      export SQLITE_TMPDIR=disk
      storetool \(StockFolder.line(folder.arguments(["--no-backup"]))); status=$?; ls disk; exit $status
      """, to: "lines.sh")
    let outcome = try folder.samples.shell.run(SmallDisk.line("bash lines.sh", kilobytes: 16))
    #expect(outcome.status == 74)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors.hasPrefix("error: the disk is full; 'copy/parts.sqlite' is unchanged"),
      "\(outcome.errors)")
    #expect(try folder.state() == folder.state(of: MigrationFolder.store))
    #expect(try folder.leftovers() == [])
  }
}
