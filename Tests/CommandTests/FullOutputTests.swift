import Foundation
import TestSupport
import Testing

/// If standard output can't be written, all commands end with 74 and a message, also after changing a store.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "/dev/full doesn't exist"))
struct FullOutputTests {
  private static let model = "Models/Todo.xcdatamodeld"
  private let samples: SampleFolder

  init() throws {
    samples = try SampleFolder()
    try samples.expect(
      """
      storetool create Todo.sqlite --model Models/Todo.xcdatamodeld
      storetool insert Item name=a
      storetool anonymize --print-rules > rules.txt
      """)
  }

  @Test(arguments: [
    "--help", "--version", "fetch --help", "help insert", "--generate-completion-script zsh",
    "info", "info --format json", "fetch Item", "fetch Item --count", "fetch Item --ids",
    "fetch Item --format csv", "fetch Item --format table", "export", "templates --format csv",
    "verify --format json", "explain fetch Item", "explain batch-delete Item --all", "settings",
    "model show \(model)", "model show \(model) --format outline", "model hash \(model)",
    "model docs \(model)", "model diagram \(model)",
    "model check --format json", "model diff \(model) Models/Journal.xcdatamodeld",
    "generate --model \(model) --output -", "predicate format 'a == 1'",
    "seed Item=3 --dry-run", "batch-update Item done=true --dry-run", "migrate status",
    "insert Item name=b --dry-run", "each Todo.sqlite -- fetch Item --count",
  ])
  func isAnError(_ command: String) throws {
    let outcome = try samples.shell.run("storetool \(command) > /dev/full")
    #expect(outcome.status == 74)
    #expect(
      outcome.errors.contains("can't write the output: No space left on device"),
      "\(outcome.errors)")
    #expect(!outcome.errors.contains("already been changed"))
  }

  @Test(arguments: [
    "insert Item name=b", "insert Item name=b --format csv", "batch-update Item done=true",
    "batch-update Item done=true --ids", "batch-update Item done=true --status",
    "batch-delete Item --all", "batch-delete Item --all --format csv", "compact --format csv",
    "verify --repair --format csv", "anonymize --in-place --format csv --rules rules.txt",
  ])
  func tellsThatTheStoreWasChanged(_ command: String) throws {
    let outcome = try samples.shell.run("storetool \(command) > /dev/full")
    #expect(outcome.status == 74)
    #expect(
      outcome.errors.hasSuffix(
        """
        error: can't write the output: No space left on device [output.write-failed]
          help: 'Todo.sqlite' has already been changed: don't repeat the command

        """), "\(outcome.errors)")
  }

  @Test(
    "'each' adds the note on changed stores only after changes",
    arguments: [
      "batch-update Part amount=7", "verify --repair --format csv", "history --prune --before 3",
    ])
  func tellsThatStoresWereChanged(by command: String) throws {
    let stock = try StockFolder(rows: 10)
    let help = "help: stores have already been changed"
    let each = "storetool each \(StockFolder.store) -- \(command)"
    let dryRun = try stock.samples.shell.run("\(each) --dry-run > /dev/full")
    #expect(dryRun.status == 74 && !dryRun.errors.contains(help), "\(dryRun.errors)")
    let run = try stock.samples.shell.run("\(each) > /dev/full")
    #expect(run.status == 74 && run.errors.contains(help), "\(run.errors)")
  }
}
