import ArgumentParser
import RecordFormats
import StoreDiagnostics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct EachCommand: ParsableCommand {
  static let name = CommandName.each

  static let configuration = CommandConfiguration(
    commandName: name, _superCommandName: Storetool.name,
    abstract: "Run a command on many stores, in parallel.",
    usage: "storetool each [<options>] [<stores> ...] -- <command> ...",
    discussion: """
      The command after -- must be one that works on a single existing store. Don't specify the store in it. The rows \
      of all stores are printed as one stream with a first column 'store', in the format of the command. The results \
      of 'info' are summarized by version. In the command, {store.path} is replaced by the path of the store, \
      {store.folder} by its folder, and {store.name} by its file name without the extension.

        storetool each Stores/ -- info
        storetool each Stores/ -- fetch Item --where 'done == NO' --format csv
        storetool each Stores/ --journal migrate.log --canary 20 -- migrate
        find . -name '*.sqlite' | storetool each --from - -- verify
      """)

  @Argument(help: "Stores and folders with stores.", completion: .stores)
  var stores: [LocalPath] = []

  @Option(
    help: ArgumentHelp(
      "A file with a list of stores and folders, one per line. - is standard input.",
      discussion:
        "If the list contains NUL characters, they end the paths, as in the output of 'find . -print0'.",
      valueName: "file"),
    completion: .file())
  var from: [LocalPath] = []

  @Option(
    help: ArgumentHelp(
      "A pattern for the names of stores in folders, such as 'User-*.db'.",
      discussion: "Default: files with the usual extensions of stores.", valueName: "pattern"))
  var filter: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The number of stores to process at the same time. Default: the number of cores, plus two.",
      valueName: "count"))
  var jobs: Int?

  @Flag(help: "Print the rows in the order of the stores.")
  var ordered = false

  @Flag(help: "For 'info', print one row per store instead of the summary.")
  var rows = false

  @Option(help: ArgumentHelp("The name of the column that contains the store.", valueName: "name"))
  var column = "store"

  @Option(
    help: ArgumentHelp(
      "Record the result of each store in a file. Running the same command again continues an interrupted run.",
      valueName: "file"),
    completion: .file())
  var journal: LocalPath?

  @Flag(help: "With --journal, also process the stores that failed in previous runs.")
  var retryFailed = false

  @Option(
    help: ArgumentHelp(
      "Don't process further stores after this number of failures.", valueName: "count")
  )
  var stopAfter: Int?

  @Option(
    help: ArgumentHelp(
      """
      Process this number of stores, and ask once whether to process the others. Without a terminal, the run ends \
      after these stores, and --journal is required, so that another run can process the others.
      """,
      valueName: "count"))
  var canary: Int?

  /// Two more than the number of cores, because some processes wait for the disk or for their next store.
  private static var usualJobs: Int { ProcessInfo.processInfo.activeProcessorCount + 2 }

  func validate() throws {
    for (name, value) in [("--jobs", jobs), ("--stop-after", stopAfter), ("--canary", canary)] {
      if let value, value < 1 { throw ValidationError("\(name) must be 1 or greater") }
    }
    if column.isEmpty { throw ValidationError("--column requires a name") }
  }

  func run() throws {
    Signals.cancelOnInterrupt()
    let (named, words) = try split()
    let work = try FleetWork(words, listsStores: rows)
    if retryFailed, journal == nil { throw FleetError.needsJournal("--retry-failed") }
    if canary != nil, journal == nil, !Canary.canAsk { throw FleetError.needsJournal("--canary") }
    var found = StorePaths(filter: filter)
    for path in named { try found.add(path) }
    for list in from { try found.addList(list) }
    if found.skippedCount > 0 { Terminal.report([Self.note(onSkipped: found.skippedCount)]) }
    guard !found.paths.isEmpty else {
      throw FleetError.noStores(filter: filter, in: named)
    }
    let log = try journal.map { try FleetJournal($0, of: words) }
    let (places, before) = try rest(of: found.paths, log, work)
    var run = FleetRun(
      work, found.paths, at: places,
      FleetRun.Limits(
        jobs: jobs ?? Self.usualJobs, failures: stopAfter, canary: canary),
      journal: log, summary: before, output: output(of: work))
    do {
      try run.run()
    } catch let failure as OutputError where work.repetition != .reads {
      throw UnreportedChange(store: nil, failure: failure)
    }
    report(run.summary)
    if run.isCancelled {
      throw DiagnosticError(
        "cancelled", "cancelled; stores that weren't processed are unchanged", cause: .cancelled,
        help: journal == nil
          ? [] : ["to continue with the journal, run the same command again"])
    }
    if run.isBroken { throw CheckFound(status: .inputOutput) }
    if !run.summary.isSuccess { throw CheckFound() }
  }

  private static func note(onSkipped count: Int) -> DiagnosticMessage {
    DiagnosticMessage(
      .note, "each.skipped",
      "skipped \(count.grouped) \("file".plural(count)) in folders: FIFOs, devices or sockets")
  }

  /// Returns the arguments before `--`, which are stores, and those after it, which are the command. The parser treats
  /// all of them as stores.
  private func split() throws -> (stores: [LocalPath], words: [String]) {
    let arguments = ArgumentText.all
    guard let end = arguments.firstIndex(of: "--") else {
      throw FleetError.noCommand(
        // The first argument is a store, even if it has the name of a command.
        meant: stores.dropFirst().first { CommandRow.spelled(by: ["\($0)"]).rest.isEmpty }
          .map { "\($0)" })
    }
    let words = Array(arguments[(end + 1)...])
    return (Array(stores.dropLast(words.count { $0 != "--" })), words)
  }

  /// The error code of a store that a run was changing when it was killed.
  private static let interrupted = "each.interrupted"

  private func report(_ summary: FleetSummary) {
    var lines = summary.lines
    // The message of an `each.interrupted` error already mentions the option.
    if journal != nil, summary.failures.contains(where: { $0.code != Self.interrupted }) {
      lines.append("to retry the failed stores, add --retry-failed")
    }
    guard !Terminal.reportsJSON else {
      return Terminal.report(lines.map { DiagnosticMessage(.note, "each.summary", $0) })
    }
    Terminal.err.write(lines.joined(separator: "\n  ") + "\n")
  }

  private func output(of work: FleetWork) -> FleetOutput {
    let form: any StoreColumn =
      switch work.output {
      case .census: Census(work.format, work.style)
      case .lines: StoreLines()
      case .rows(by: .ndjson, as: .ndjson): StoreMember(column, asArray: false)
      case .rows(by: .ndjson, as: .json): StoreMember(column, asArray: true)
      case .rows(by: .ndjson, as: let format): RecordTable(column, format, work.style)
      case .rows(by: _, as: let format):
        DelimitedStoreColumn(column, format, hasHeader: work.style.hasHeader)
      }
    return FleetOutput(form, isOrdered: ordered, countsRows: work.countsRows)
  }

  /// Returns the positions of the stores to process, and a summary of the others, whose results are in the journal.
  private func rest(
    of stores: [LocalPath], _ journal: FleetJournal?, _ work: FleetWork
  ) throws -> (places: [Int], summary: FleetSummary) {
    var summary = FleetSummary()
    guard let journal else { return (Array(stores.indices), summary) }
    var places: [Int] = []
    for (place, store) in stores.enumerated() {
      guard var record = journal.records[FleetJournal.name(of: store)] else {
        places.append(place)
        continue
      }
      if record.outcome == .begun, record.fingerprint != StoreFingerprint.of(store) {
        record = FleetRecord(
          record.store, failed: Self.interrupted,
          """
          a run was killed while it changed the store: check whether the request was applied; \
          --retry-failed runs it again
          """,
          status: .inputOutput)
        try journal.append(record)
      }
      let isToDo: Bool =
        switch record.outcome {
        case .begun, .skipped: true
        case .failed: retryFailed
        case .done: false
        }
      if isToDo { places.append(place) } else { summary.add(record, store, isBefore: true) }
    }
    return (places, summary)
  }
}
