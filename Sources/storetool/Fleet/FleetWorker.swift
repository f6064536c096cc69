import StoreDiagnostics

/// A storetool process that runs the command given to `storetool each`. It processes the stores that `each` assigns to
/// it, one after the other.
///
/// It is a separate process, because a crash must not affect other stores, and because the output and the cancellation
/// of a command affect its whole process.
final class FleetWorker {
  let process: ChildProcess
  /// The position of the store that the worker processes; nil if the worker is idle.
  var current: Int?
  private var outcomeBytes: [UInt8] = []

  /// - Throws: `FleetError.workerNotStarted`
  init(_ work: FleetWork, journal: FleetJournal?) throws(FleetError) {
    do {
      process = try ChildProcess(
        command: Self.words(of: work, journal?.path),
        passing: journal.map { [$0.file] } ?? [])
    } catch {
      switch error {
      case .notStarted(_, let reason): throw .workerNotStarted(reason: reason)
      case .notFound(let program):
        throw .workerNotStarted(reason: "the program '\(program)' doesn't exist")
      }
    }
  }

  private static func words(of work: FleetWork, _ journal: LocalPath?) -> [String] {
    var words = [EachWorkerCommand.name]
    if let format = work.workerFormat { words += ["--rows", format] }
    if work.reportsJSON { words += ["--format", "ndjson"] }
    if let journal { words.append("--journal=\(journal.argument)") }
    if work.repetition == .once { words.append("--once") }
    return words + ["--"] + work.plainWords
  }

  /// Assigns a store to the worker. If the worker has ended, `isGone` becomes true after the next call of
  /// `nextOutcome`.
  func begin(_ store: LocalPath, at place: Int) {
    current = place
    process.send(store.bytes)
  }

  /// Returns the record of a store that the worker has finished; nil if the next record hasn't arrived.
  func nextOutcome() -> FleetRecord? {
    while process.read(.channel, into: &outcomeBytes) {}
    guard let end = outcomeBytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let line = outcomeBytes[..<end]
    outcomeBytes.removeSubrange(...end)
    return FleetRecord(line: line)
  }

  /// Whether the worker has closed its channel, because it has ended or is about to end.
  var isGone: Bool { process.files[.channel] == nil }
}
