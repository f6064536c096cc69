import ArgumentParser
import StoreDiagnostics

/// `storetool each-worker`, which only `each` starts. It runs a command for the stores that it receives.
struct EachWorkerCommand: ParsableCommand {
  static let name = "each-worker"

  static let configuration = CommandConfiguration(
    commandName: name, _superCommandName: Storetool.name,
    abstract: "Run a command for the stores that 'each' assigns.", shouldDisplay: false)

  @Option var rows: String?
  /// The format of errors, which `ReportFormat` reads from the arguments of the process.
  @Option var format: String?
  /// The path of the journal for error messages. The worker inherits the open file.
  @Option var journal: LocalPath?
  @Flag var once = false
  /// The arguments of the command. They may contain bytes that aren't UTF-8, because they can be paths.
  @Argument var words: [LocalPath] = []

  func run() throws {
    let channel = ParentChannel(passed: journal == nil ? 0 : 1)
    var line = StoreCommandLine(try StoreWords(words.map(\.argument), rows: rows))
    while let store = channel.receive() {
      let record = try journaled(LocalPath(bytes: store), &line)
      // If `each` has ended, no other stores will follow.
      guard channel.send(record.line) else { return }
    }
  }

  /// Runs the command for a store, and records its result in the journal before reporting it.
  private func journaled(
    _ store: LocalPath, _ line: inout StoreCommandLine
  ) throws -> FleetRecord {
    let name = journal == nil ? store : FleetJournal.name(of: store)
    if once {
      var begun = FleetRecord(name, .begun)
      begun.fingerprint = StoreFingerprint.of(store)
      try append(begun)
    }
    var record = outcome(of: store, &line)
    record.store = name
    // A cancelled command hasn't changed the store, so the next run processes it.
    try append(record.isCancelled ? FleetRecord(name, .skipped) : record)
    return record
  }

  private func append(_ record: FleetRecord) throws {
    guard let journal else { return }
    try FleetJournal.append(record.line, to: ParentChannel.firstPassed, journal)
  }

  private func outcome(of store: LocalPath, _ line: inout StoreCommandLine) -> FleetRecord {
    do {
      var command = try line.command(for: store)
      try command.run()
      return FleetRecord(store, .done)
    } catch {
      let (status, diagnostic) = FailedCommand(failure(of: store, error, line)).report()
      guard status != .done else { return FleetRecord(store, .done) }
      return FleetRecord(
        store, failed: diagnostic?.code ?? "found",
        diagnostic?.message(in: CommandWording()) ?? "the command reported findings",
        status: status)
    }
  }

  private func failure(
    of store: LocalPath, _ error: any Error, _ line: StoreCommandLine
  ) -> any Error {
    do throws(FleetError) {
      return ParsingError(error: error, words: try line.words.arguments(for: store))
    } catch {
      return error
    }
  }
}

/// A command that runs for several stores, one after the other.
struct StoreCommandLine {
  let words: StoreWords
  /// The parsed command, which can be reused for other stores; nil before the first store, or if it can't be reused.
  private var parsed: (any StoreCommand)?

  init(_ words: StoreWords) {
    self.words = words
  }

  /// - Throws: An error of the parser, or `FleetError`.
  mutating func command(for store: LocalPath) throws -> any ParsableCommand {
    if var command = parsed {
      command.options.store = store
      return command
    }
    let command = try Storetool.command(of: words.arguments(for: store)[...])
    if words.areFixed { parsed = command as? any StoreCommand }
    return command
  }
}

/// The inodes, sizes and modification times of a store's files. If none of them has changed, the store hasn't been
/// written.
enum StoreFingerprint {
  /// The `-shm` is omitted, because it also changes when a store is only read.
  private static let suffixes = ["", "-wal", "-journal"]

  static func of(_ path: LocalPath) -> String {
    let file = path.followed
    return suffixes.map { part(of: "\(file)\($0)") }.joined(separator: " ")
  }

  private static func part(of path: LocalPath) -> String {
    guard let status = path.status(), status.size > 0 else { return "-" }
    let time = status.modified
    return "\(status.identity.number):\(status.size):\(time.seconds).\(time.nanoseconds)"
  }
}
