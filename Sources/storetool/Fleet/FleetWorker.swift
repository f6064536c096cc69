import StoreDiagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process of this program that runs the command for one store after the other, as `each` hands them out.
///
/// Processes, not threads: what one store does to a command, a damaged page or a crash, is its own matter, and a
/// command is free to print, to wait and to be cancelled as if it was alone.
final class FleetWorker {
  /// What a worker finds open when it begins, beside the three usual streams.
  enum Descriptor {
    static let requests: Int32 = 3
    static let outcomes: Int32 = 4
    static let journal: Int32 = 5
  }

  enum Stream: Int, CaseIterable {
    case output, errors, outcomes
  }

  let process: pid_t
  /// The store that it works on, by its place among all.
  var current: Int?
  private var requests: Int32
  private var readable: [Int32]
  private var outcomeBytes: [UInt8] = []

  /// - Throws: `FleetError.workerNotStarted`
  init(_ work: FleetWork, journal: FleetJournal?) throws {
    let (output, errors, outcomes) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
    let orders = try Self.pipe()
    process = try Self.spawn(
      Self.words(of: work, journal?.path),
      [
        (orders.reading, Descriptor.requests), (output.writing, STDOUT_FILENO),
        (errors.writing, STDERR_FILENO), (outcomes.writing, Descriptor.outcomes),
      ] + (journal.map { [($0.descriptor, Descriptor.journal)] } ?? []))
    for pipe in [output, errors, outcomes] { systemClose(pipe.writing) }
    systemClose(orders.reading)
    requests = orders.writing
    readable = [output.reading, errors.reading, outcomes.reading]
    for end in readable { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  private static func words(of work: FleetWork, _ journal: FilePath?) -> [String] {
    var words = [EachWorkerCommand.name]
    if let format = work.workerFormat { words += ["--rows", format] }
    if work.reportsJSON { words += ["--format", "ndjson"] }
    if let journal { words.append("--journal=\(journal.argument)") }
    if work.repetition == .once { words.append("--once") }
    return words + ["--"] + work.plainWords
  }

  /// Negative once the other end is closed.
  func descriptor(_ stream: Stream) -> Int32 { readable[stream.rawValue] }

  /// Hands out a store; a worker that has ended is found out by its closed outcomes.
  func begin(_ store: FilePath, at place: Int) {
    current = place
    let bytes = store.bytes
    let length = withUnsafeBytes(of: UInt32(bytes.count)) { Array($0) }
    var rest = (length + bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(requests, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Appends what is there to be read, up to a limit.
  ///
  /// - Returns: false where nothing is, now or any more.
  func read(_ stream: Stream, into bytes: inout [UInt8], limit: Int) -> Bool {
    let descriptor = readable[stream.rawValue]
    guard descriptor >= 0, limit > 0 else { return false }
    var space = [UInt8](repeating: 0, count: min(limit, 1 << 16))
    while true {
      let count = systemRead(descriptor, &space, space.count)
      if count > 0 {
        bytes += space.prefix(count)
        return true
      }
      if count < 0, errno == EINTR { continue }
      if count == 0 || errno != EAGAIN {
        systemClose(descriptor)
        readable[stream.rawValue] = -1
      }
      return false
    }
  }

  /// What the worker says of its store, once it is done with it.
  func nextOutcome() -> FleetRecord? {
    while read(.outcomes, into: &outcomeBytes, limit: 1 << 16) {}
    guard let end = outcomeBytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let line = outcomeBytes[..<end]
    outcomeBytes.removeSubrange(...end)
    return FleetRecord(line: line)
  }

  func signal(_ number: Int32) { kill(process, number) }

  /// Lets it end once its store is done. What it still writes has no reader.
  func close() {
    for end in readable + [requests] where end >= 0 { systemClose(end) }
    readable = readable.map { _ in -1 }
    requests = -1
  }

  /// Waits for its end.
  ///
  /// - Returns: the number of the signal that ended it, nil where it has left by itself.
  func wait() -> Int32? { ProcessEnd(of: process).signal }
}

extension FleetWorker {
  private static func pipe() throws -> ProcessPipe {
    do {
      return try ProcessPipe()
    } catch {
      throw FleetError(error)
    }
  }

  private static func spawn(_ words: [String], _ descriptors: [(Int32, Int32)]) throws -> pid_t {
    do {
      // Opened for writing, so that a command that reads standard input fails instead of finding nothing there.
      return try Subprocess.spawn([try OwnProgram.path()] + words, input: O_WRONLY, descriptors)
    } catch {
      throw FleetError(error)
    }
  }
}

extension FleetError {
  fileprivate init(_ error: SubprocessError) {
    switch error {
    case .failed(_, let reason): self = .workerNotStarted(reason: reason)
    case .notFound(let program):
      self = .workerNotStarted(reason: "there is no program '\(program)'")
    }
  }
}

private func systemRead(_ descriptor: Int32, _ space: UnsafeMutableRawPointer, _ count: Int) -> Int
{
  read(descriptor, space, count)
}

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
