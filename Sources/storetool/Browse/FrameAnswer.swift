import PageServer
import RecordFormats

/// The answer to a request as lines of JSON: `{"row": …}` for each line that the command prints, `{"progress": …}`
/// while it doesn't print any lines, `{"diagnostic": …}` for each error, warning or note, and `{"end": …}`.
struct FrameAnswer {
  let client: any PageClient

  /// The maximum number of bytes of a command's standard error, which is usually short. The rest is dropped.
  private static let longestErrors = 1 << 20
  /// The time in milliseconds after which the page receives a progress line if the command hasn't written anything.
  static let silence: Int32 = 250

  private static func milliseconds(since start: ContinuousClock.Instant) -> Int {
    Int((ContinuousClock.now - start) / .milliseconds(1))
  }

  /// - Parameter ticket: Returns the ticket that `end` contains (see `DryRunTickets`), or nil. Its argument is the exit
  ///   status of the command.
  func run(
    _ request: CommandService.Request, ticket: (Int) -> String?
  ) throws(ClientGone) {
    try client.begin(status: 200, contentType: "application/x-ndjson")
    let started = ContinuousClock.now
    let command: ChildProcess
    do throws(ChildProcessError) {
      command = try PageRunCommand.start(request.line)
    } catch {
      try write(diagnostic: "the command can't be started: \(error)")
      return try client.end()
    }
    do throws(ClientGone) {
      let errors = try follow(command, since: started)
      let end = command.wait()
      try writeDiagnostics(errors)
      if let signal = end.signal { try write(ended: signal, request) }
      let status = Int(end.status)
      let time = Self.milliseconds(since: started)
      try write(["end": End(status: status, ms: time, ticket: ticket(status))])
      try client.end()
    } catch {
      if request.writes { command.cancel() } else { command.kill() }
      command.wait()
      throw error
    }
  }

  /// - Returns: The standard error of the command.
  private func follow(
    _ command: ChildProcess, since started: ContinuousClock.Instant
  ) throws(ClientGone) -> [UInt8] {
    var errors: [UInt8] = []
    var rows = RowFrames()
    while let event = command.next(within: Self.silence) {
      switch event {
      case .bytes(let bytes, .errors):
        errors += bytes.prefix(max(0, Self.longestErrors - errors.count))
      case .bytes(let bytes, _): try client.write(rows.frames(of: bytes))
      case .silence:
        // A progress line can't be sent in the middle of a row.
        guard rows.isBetweenRows else {
          if client.isGone { throw ClientGone() }
          continue
        }
        try write(["progress": ["ms": Self.milliseconds(since: started)]])
      }
    }
    return errors
  }

  private func writeDiagnostics(_ errors: [UInt8]) throws(ClientGone) {
    for line in errors.split(separator: UInt8(ascii: "\n")) {
      guard JSONValue(text: line) != nil else {
        try write(diagnostic: String(decoding: line, as: UTF8.self))
        continue
      }
      try client.write(Array("{\"diagnostic\":".utf8) + line + Array("}\n".utf8))
    }
  }

  private func write(
    ended signal: Int32, _ request: CommandService.Request
  ) throws(ClientGone) {
    let help =
      request.writes
      ? "an incomplete write is rolled back; check the rows before you try again"
      : "try again; the system ends processes that use too much memory"
    try write(diagnostic: "the command was ended by signal \(signal)", help: [help])
  }

  /// Writes an error of this server, or a message that isn't JSON. A process prints such messages only before its
  /// command begins.
  private func write(diagnostic text: String, help: [String] = []) throws(ClientGone) {
    try write(["diagnostic": Spoken(message: text, help: help)])
  }

  private func write(_ frame: some Encodable) throws(ClientGone) {
    var out = ByteBuffer()
    out.append(line: frame)
    try client.write(Array(out.bytes))
  }

  private struct Spoken: Encodable {
    let severity = "error"
    let message: String
    let help: [String]
  }

  private struct End: Encodable {
    let status, ms: Int
    let ticket: String?
  }
}

/// Puts each line into an object `{"row": …}` while its bytes arrive, because a row may be too large for memory.
struct RowFrames {
  private(set) var isBetweenRows = true

  mutating func frames(of bytes: [UInt8]) -> [UInt8] {
    var frames: [UInt8] = []
    frames.reserveCapacity(bytes.count + 64)
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if !isBetweenRows { frames += Array("}\n".utf8) }
        isBetweenRows = true
      } else {
        if isBetweenRows { frames += Array("{\"row\":".utf8) }
        isBetweenRows = false
        frames.append(byte)
      }
    }
    return frames
  }
}
