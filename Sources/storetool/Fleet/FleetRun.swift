import RecordFormats
import StoreDiagnostics

/// Distributes stores to workers, collects their output, and counts the results.
struct FleetRun {
  struct Limits {
    /// The maximum number of stores that are processed at the same time.
    var jobs: Int
    /// The number of failures after which no more stores are started; nil for no limit.
    var failures: Int?
    /// The number of stores after which the user must confirm to continue; nil if no confirmation is required.
    var canary: Int?
  }

  private let work: FleetWork
  private let stores: [LocalPath]
  private let limits: Limits
  private let journal: FleetJournal?
  private var output: FleetOutput
  private var errors: [Int: [UInt8]] = [:]
  private var workers: [FleetWorker] = []
  private var progress: FleetProgress
  private(set) var summary = FleetSummary()
  /// The indices of the stores that haven't been assigned to a worker. In this type, a `place` is an index in `stores`.
  private var waiting: ArraySlice<Int>
  private var retries: [Int] = []
  private var retried: Set<Int> = []
  private var begun = 0
  private var isStopped = false
  private(set) var isCancelled = false
  /// Whether a worker has exited because of an error, after it reported the error.
  private(set) var isBroken = false

  /// - Parameters:
  ///   - places: The indices in `stores` of the stores to process. `summary` already counts the other stores.
  init(
    _ work: FleetWork, _ stores: [LocalPath], at places: [Int], _ limits: Limits,
    journal: FleetJournal?, summary: FleetSummary, output: FleetOutput
  ) {
    self.work = work
    self.stores = stores
    self.limits = limits
    self.journal = journal
    self.summary = summary
    self.output = output
    waiting = places[...]
    progress = FleetProgress(total: places.count)
    var places = Set(places)
    for place in stores.indices where places.remove(place) == nil { self.output.pass(place) }
  }

  /// Processes the stores until the run is finished, stopped or cancelled.
  ///
  /// - Throws: `FleetError`, `InputFileError` if the journal can't be read, or an error of writing the output.
  mutating func run() throws {
    defer {
      progress.clear()
      for worker in workers { worker.process.close() }
      for worker in workers { worker.process.wait() }
    }
    while true {
      try handOut()
      guard workers.contains(where: { $0.current != nil }) else { break }
      wait()
      stopIfWished()
      for worker in workers { try read(worker) }
      try noteProblems()
      progress.show(summary)
    }
    summary.skipped += waiting.count + retries.count
    summary.counted = output.counted
    try output.finish(summary)
    try noteProblems()
  }

  // MARK: Handing out

  private mutating func handOut() throws {
    while let place = try nextPlace() {
      let worker: FleetWorker
      if let idle = workers.first(where: { $0.current == nil }) {
        worker = idle
      } else {
        worker = try FleetWorker(work, journal: journal)
        workers.append(worker)
      }
      output.begin(place, stores[place])
      begun += 1
      worker.begin(stores[place], at: place)
    }
  }

  private mutating func nextPlace() throws -> Int? {
    let busy = workers.count { $0.current != nil }
    guard !isStopped, !isCancelled, busy < limits.jobs, output.hasRoom || busy == 0 else {
      return nil
    }
    if let canary = limits.canary, begun == canary, !waiting.isEmpty {
      guard busy == 0 else { return nil }
      progress.clear()
      // Incrementing `begun` ensures that the question appears only once.
      begun += 1
      guard Canary.wantsMore(behind: summary, left: waiting.count) else {
        isStopped = true
        let stores = canary == 1 ? "store" : "\(canary.grouped) stores"
        Terminal.note("stopped after the first \(stores)", code: "each.canary")
        return nil
      }
    }
    if let place = waiting.popFirst() { return place }
    // Retries come last, because a locked store may be available after all others are finished.
    guard busy == 0, !retries.isEmpty else { return nil }
    return retries.removeFirst()
  }

  // MARK: Reading

  /// Waits until a worker has written something or has ended, but not longer than `pause`.
  private func wait() {
    let files = workers.flatMap { worker in
      let isFull = worker.current.map { output.room(for: $0) == 0 } ?? false
      return worker.process.files.filter { !isFull || $0.key != .output }.values
    }
    _ = OpenFile.waitForBytes(in: files, milliseconds: Self.pause)
  }

  /// The maximum waiting time in milliseconds.
  private static let pause: Int32 = 100

  private mutating func stopIfWished() {
    guard !isCancelled, Cancellation.ofProcess.isRequested else { return }
    isCancelled = true
    for worker in workers { worker.process.cancel() }
  }

  private mutating func read(_ worker: FleetWorker) throws {
    guard let place = worker.current else {
      // An idle worker that is gone was killed.
      if worker.nextOutcome() == nil, worker.isGone { leave(worker) }
      return
    }
    try readOutput(of: worker, place, isLast: false)
    if let record = worker.nextOutcome() {
      try readOutput(of: worker, place, isLast: true)
      worker.current = nil
      try end(place, record)
    } else if worker.isGone {
      try readOutput(of: worker, place, isLast: true)
      try takeAway(worker, place)
    }
  }

  /// - Parameter isLast: Whether the command has finished. The remaining output is then read without a limit, because a
  ///   pipe can only contain a limited number of bytes.
  private mutating func readOutput(
    of worker: FleetWorker, _ place: Int, isLast: Bool
  ) throws {
    var bytes: [UInt8] = []
    while worker.process.read(
      .output, into: &bytes, limit: isLast ? .max : output.room(for: place))
    {
      try output.append(bytes, of: place)
      bytes.removeAll(keepingCapacity: true)
    }
    while worker.process.read(.errors, into: &errors[place, default: []]) {}
  }

  // MARK: Outcomes

  private mutating func end(_ place: Int, _ record: FleetRecord) throws {
    let isTriedAgain = try record.isBusy && tryAgain(place)
    if !isTriedAgain { try output.end(place, isWhole: true) }
    showErrors(of: place)
    if record.isCancelled {
      summary.skipped += 1
      isCancelled = true
    } else if !isTriedAgain {
      summary.add(record, stores[place])
      stopAfterFailures()
    }
  }

  /// Schedules a store to be processed again after the others, unless it was already retried, or some of its rows have
  /// been written and would be duplicated.
  ///
  /// - Returns: Whether the store will be processed again.
  private mutating func tryAgain(_ place: Int) throws -> Bool {
    guard !retried.contains(place), try output.withdraw(place) else { return false }
    retried.insert(place)
    retries.append(place)
    return true
  }

  /// Handles a worker that has ended while processing a store.
  private mutating func takeAway(_ worker: FleetWorker, _ place: Int) throws {
    let signal = leave(worker)
    let isWished = isCancelled || Cancellation.ofProcess.isRequested
    let noted = try journal?.noted(of: stores[place])
    let mayBeRepeated = !isWished && signal != nil && work.repetition != .once
    if mayBeRepeated, noted?.outcome != .done, try tryAgain(place) {
      return showErrors(of: place)
    }
    try output.end(place, isWhole: false)
    showErrors(of: place)
    guard !isWished else {
      summary.skipped += 1
      return
    }
    if let noted, noted.outcome == .done {
      summary.add(noted, stores[place])
      return
    }
    guard let signal else {
      // The worker has exited by itself and reported the reason, for example that it can't write the journal.
      isStopped = true
      isBroken = true
      summary.skipped += 1
      return
    }
    let message =
      "its worker process was ended by signal \(signal)"
      + (work.repetition == .once
        ? "; check the store, because the request may have been applied" : "")
    let record = FleetRecord(
      FleetJournal.name(of: stores[place]), failed: "each.worker-ended", message, status: .bug)
    try journal?.append(record)
    summary.add(record, stores[place])
    showFailure(of: place, record)
    stopAfterFailures()
  }

  /// Removes a worker, waits for its end, and returns the signal that ended it, or nil.
  @discardableResult
  private mutating func leave(_ worker: FleetWorker) -> Int32? {
    workers.removeAll { $0 === worker }
    worker.process.close()
    return worker.process.wait().signal
  }

  private mutating func stopAfterFailures() {
    if let failures = limits.failures, summary.failed >= failures { isStopped = true }
  }

  private mutating func noteProblems() throws {
    for (place, problem) in output.takeProblems() {
      let record = FleetRecord(
        FleetJournal.name(of: stores[place]), failed: problem.code, problem.message, status: .data)
      // A request that must not be repeated counts as done, even if its output was dropped.
      if work.repetition != .once {
        try journal?.append(record)
        summary.refuse(record, stores[place])
      }
      showFailure(of: place, record)
    }
  }

  private mutating func showFailure(of place: Int, _ record: FleetRecord) {
    let diagnostic = DiagnosticMessage(
      .error, record.code ?? "found", record.message ?? "", cause: .invalid)
    let text =
      work.reportsJSON
      ? diagnostic.report : "error: \(diagnostic.message) [\(diagnostic.code)]"
    errors[place] = Array("\(text)\n".utf8)
    showErrors(of: place)
  }

  /// Shows the messages of the command, each line with its store.
  private mutating func showErrors(of place: Int) {
    guard let bytes = errors.removeValue(forKey: place), !bytes.isEmpty else { return }
    progress.clear()
    guard work.reportsJSON else {
      return Terminal.err.write(StoreLines.marked(bytes[...], stores[place]))
    }
    let member = String(decoding: StoreMember.member("store", stores[place]), as: UTF8.self)
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      Terminal.err.send("\(member),\(String(decoding: line.dropFirst(), as: UTF8.self))\n")
    }
  }
}
