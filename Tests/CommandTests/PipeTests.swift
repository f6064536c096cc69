import Foundation
import Testing

/// FIFOs in place of files: no command waits for a writer forever, and SIGTERM ends a waiting command.
struct PipeTests {
  private let samples: SampleFolder

  init() throws {
    samples = try SampleFolder()
    try samples.expect(
      """
      mkfifo pipe pipe.sqlite
      storetool create Todo.sqlite --model Models/Todo.xcdatamodeld
      """)
  }

  /// Runs a command, and kills it if it doesn't end.
  private func run(_ command: String) throws -> SampleFolder.Ending {
    try samples.run(command.split(separator: " ").map(String.init), after: .seconds(60))
  }

  @Test(arguments: [
    "info", "fetch Item", "verify", "compact", "browse --no-open", "migrate", "seed Item=1",
  ])
  func storeThatIsAPipeIsRefused(_ command: String) throws {
    let outcome = try run("\(command) --store pipe.sqlite")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("pipe.sqlite' isn't an SQLite database"), "\(outcome.errors)")
  }

  @Test(arguments: ["journal", "wal"])
  func companionThatIsAPipeStopsAWrite(_ name: String) throws {
    try samples.expect("rm -f Todo.sqlite-*; mkfifo Todo.sqlite-\(name)")
    let outcome = try run("insert Item name=a --store Todo.sqlite")
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("'Todo.sqlite-\(name)': it isn't a regular file"))
  }

  @Test(arguments: [
    "model check pipe", "model merge pipe pipe pipe", "model show --format outline pipe",
    "fetch Item --store Todo.sqlite --model pipe",
    "anonymize --store Todo.sqlite --output x.sqlite --rules pipe",
  ])
  func pipeWithoutAWriterIsReported(_ command: String) throws {
    let outcome = try run(command)
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("no program writes to this pipe"), "\(outcome.errors)")
  }

  @Test func pipeWithAWriterIsRead() throws {
    let model = "Models/Todo.xcdatamodeld/Todo.xcdatamodel/contents"
    let merged = try samples.expect(
      "storetool model merge <(true) \(model) <(sleep 0.2; cat \(model)) | cmp - \(model) && echo same"
    )
    #expect(merged == "same\n")
  }

  @Test func filesOfABundleMayBePipes() throws {
    try samples.expect(
      """
      cd Models/Todo.xcdatamodeld && rm .xccurrentversion Todo.xcdatamodel/contents
      mkfifo .xccurrentversion Todo.xcdatamodel/contents
      """)
    let outcome = try run("model check Models/Todo.xcdatamodeld")
    #expect(outcome.errors.contains("2 versions: "), "\(outcome.errors)")
  }

  @Test(arguments: [
    "batch-insert Item pipe", "import pipe", "each Todo.sqlite --from pipe -- info",
  ])
  func terminationEndsWaiting(_ command: String) throws {
    let store = command.hasPrefix("each") ? "" : " --store Todo.sqlite"
    let words = (command + store).split(separator: " ").map(String.init)
    let outcome = try samples.run(words, sending: SIGTERM, after: .seconds(1))
    #expect(outcome.status == 130)
    #expect(outcome.errors.contains("[cancelled]"), "\(outcome.errors)")
  }

  @Test func eachSkipsPipesAndDevicesWithACount() throws {
    try samples.expect("ln -s /dev/zero zero.db")
    let outcome = try run("each . -- fetch Item --count --format csv")
    #expect(outcome.status == 0)
    #expect(
      outcome.errors == """
        note: skipped 2 files in folders: FIFOs, devices or sockets [each.skipped]
        1 store: 1 done; 0 rows in total

        """)
    let rows = try samples.expect("storetool each . -- fetch Item --count --format csv")
    #expect(rows == "store,count\n./Todo.sqlite,0\n")
  }
}
