import Foundation
import PlainSQLite
import TestSupport
import Testing

/// If the disk is too full, the command fails at its start, names the required size, and leaves the store unchanged.
@Suite(
  .enabled(if: SmallDisk.isAvailable, "a disk can't be mounted in a separate namespace here"))
struct MaintenanceDiskTests {
  private let stock: StockFolder

  init() throws {
    stock = try StockFolder()
    try stock.samples.folder.write("Part.name: fake-name\nBin.label: scramble\n", to: "rules.txt")
  }

  @Test(arguments: [
    "compact", "anonymize --rules rules.txt --in-place",
    "anonymize --rules rules.txt --output disk/copy.sqlite",
  ])
  func theDiskIsSmall(_ command: String) throws {
    try stock.samples.folder.write(
      """
      export STORETOOL_MODEL=\(StockFolder.model) STORETOOL_STORE=disk/stock.sqlite SQLITE_TMPDIR=disk
      cp \(StockFolder.store) disk/stock.sqlite || exit 99
      storetool \(command) 2> errors; status=$?
      [ $status = 0 ] && exit 0
      cmp \(StockFolder.store) disk/stock.sqlite || exit 97
      [ "$(ls disk | grep -v -e -wal -e -shm)" = stock.sqlite ] || { ls disk; exit 96; }
      exit $status
      """, to: "lines.sh")
    let size =
      try FileManager.default.attributesOfItem(atPath: stock.path())[.size] as? Int ?? 0
    var statuses: [Int32] = []
    for step in 0..<7 {
      let outcome = try stock.samples.shell.run(
        SmallDisk.line("bash lines.sh", kilobytes: size / 1024 * (2 + step) / 2 + 64))
      #expect([0, 74].contains(outcome.status), "\(step): \(outcome.output)")
      statuses.append(outcome.status)
      let errors = try String(contentsOfFile: stock.path("errors"), encoding: .utf8)
      guard outcome.status != 0 else { continue }
      #expect(
        errors.contains("free space is required in 'disk'") && errors.contains("[store.no-space]")
          || errors.contains("[store.disk-full]"), "\(errors)")
    }
    #expect(statuses.first == 74 && statuses.last == 0, "\(statuses)")
    #expect(statuses == statuses.sorted(by: >))
  }
}
