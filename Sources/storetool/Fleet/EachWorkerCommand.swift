import ArgumentParser
import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `storetool each-worker`, which only `each` starts: runs a command for the stores that it is handed.
struct EachWorkerCommand: ParsableCommand {
  static let name = "each-worker"

  static let configuration = CommandConfiguration(
    commandName: name, _superCommandName: Storetool.name,
    abstract: "Runs a command for the stores that 'each' hands out.", shouldDisplay: false)

  @Option(name: .long) var rows: String?
  /// Errors as JSON, which is looked for among the words of the process.
  @Option(name: .long) var format: String?
  /// Its path, for messages; it is open already.
  @Option(name: .long) var journal: FilePath?
  @Flag(name: .long) var once = false
  /// The words of the command. Those that are paths have bytes, which the command itself looks for.
  @Argument var words: [FilePath] = []

  func run() throws {
    for descriptor in [FleetWorker.Descriptor.requests, FleetWorker.Descriptor.outcomes]
      + (journal == nil ? [] : [FleetWorker.Descriptor.journal])
    {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
    var line = StoreCommandLine(try StoreWords(words.map(\.argument), rows: rows))
    while let store = nextStore() {
      let record = try journaled(store, &line)
      // `each` is gone: so is the one who wanted the next store.
      guard send(record.line) else { return }
    }
  }

  /// Runs the command for a store and notes what became of it before anyone else is told.
  private func journaled(
    _ store: FilePath, _ line: inout StoreCommandLine
  ) throws -> FleetRecord {
    let name = journal == nil ? store : FleetJournal.name(of: store)
    if once {
      var begun = FleetRecord(name, .begun)
      begun.fingerprint = StoreFingerprint.of(store)
      try append(begun)
    }
    var record = outcome(of: store, &line)
    record.store = name
    // One that was cancelled is as it was, and is for the next run.
    try append(record.isCancelled ? FleetRecord(name, .skipped) : record)
    return record
  }

  private func append(_ record: FleetRecord) throws {
    guard let journal else { return }
    try FleetJournal.append(record.line, to: FleetWorker.Descriptor.journal, journal)
  }

  private func outcome(of store: FilePath, _ line: inout StoreCommandLine) -> FleetRecord {
    do {
      var command = try line.command(for: store)
      try command.run()
      return FleetRecord(store, .done)
    } catch {
      let (status, diagnostic) = FailedCommand(failure(of: store, error, line)).report()
      guard status != .done else { return FleetRecord(store, .done) }
      return FleetRecord(
        store, failed: diagnostic?.code ?? "found",
        diagnostic?.message(in: CommandWording()) ?? "the command has found something",
        status: status)
    }
  }

  private func failure(
    of store: FilePath, _ error: any Error, _ line: StoreCommandLine
  ) -> any Error {
    do throws(FleetError) {
      return ParsingError(error: error, words: try line.words(for: store))
    } catch {
      return error
    }
  }

  private func nextStore() -> FilePath? {
    guard let length = read(4) else { return nil }
    let count = length.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    return read(Int(count)).map { FilePath(bytes: $0) }
  }

  private func read(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var space = [UInt8](repeating: 0, count: count - bytes.count)
      let got = systemRead(FleetWorker.Descriptor.requests, &space, space.count)
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return nil }
      bytes += space.prefix(got)
    }
    return bytes
  }

  private func send(_ line: String) -> Bool {
    let bytes = Array(line.utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        write(FleetWorker.Descriptor.outcomes, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

private func systemRead(_ descriptor: Int32, _ space: UnsafeMutableRawPointer, _ count: Int) -> Int
{
  read(descriptor, space, count)
}
