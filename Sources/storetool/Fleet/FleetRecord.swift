import StoreDiagnostics
import RecordFormats

/// The result of a command for one store. It is a line of the journal, and a message from a worker to `each`.
struct FleetRecord: Hashable {
  enum Result: String, Hashable {
    /// A request that must not be repeated is about to be applied.
    case begun
    case done
    case failed
    /// The run was stopped before the store was changed.
    case skipped
  }

  /// The path of the store, which is absolute in a journal. In JSON, `ArgumentText` escapes bytes that aren't UTF-8, so
  /// that different paths have different texts.
  var store: LocalPath
  var outcome: Result
  /// The code of the first error.
  var code: String?
  var message: String?
  /// The exit status of the command.
  var status: Int32 = 0
  /// The fingerprint of the store's files before the request; set only for `begun`.
  var fingerprint: String?

  init(_ store: LocalPath, _ outcome: Result) {
    self.store = store
    self.outcome = outcome
  }

  init(_ store: LocalPath, failed code: String, _ message: String, status: ExitStatus) {
    self.init(store, .failed)
    self.code = code
    self.message = message
    self.status = status.rawValue
  }

  /// Whether another process had locked the store. The lock may have been released since.
  var isBusy: Bool { outcome == .failed && status == ExitStatus.busy.rawValue }

  /// Whether the user cancelled the command, which then hasn't changed the store.
  var isCancelled: Bool { outcome == .failed && status == ExitStatus.cancelled.rawValue }
}

extension FleetRecord {
  var line: String {
    let failure = ErrorFacts(code: code, message: message, status: status)
    let line = Line(
      store: store.argument, outcome: outcome.rawValue,
      failure: outcome == .failed ? failure : nil, fingerprint: fingerprint)
    return "\(JSONValue(encoding: line))\n"
  }

  private struct Line: Encodable {
    let store, outcome: String
    @Flattened var failure: ErrorFacts?
    @OmittedIfNil var fingerprint: String?
  }

  private struct ErrorFacts: Encodable {
    let code, message: String?
    let status: Int32
  }

  /// Creates a record from a line of the journal or of a worker; nil for another line, such as a truncated one.
  init?(line: some Sequence<UInt8>) {
    guard let value = JSONValue(text: line), let store = value["store"]?.text,
      let outcome = value["outcome"]?.text.flatMap(Result.init)
    else { return nil }
    self.init(ArgumentText.path(store), outcome)
    code = value["code"]?.text
    message = value["message"]?.text
    fingerprint = value["fingerprint"]?.text
    status = value["status"]?.number.flatMap(Int32.init(exactly:)) ?? 0
  }
}

extension JSONValue {
  /// Creates a value from its text; nil if the text isn't a single JSON value.
  init?(text: some Sequence<UInt8>) {
    var scanner = JSONScanner(TextInMemory(Array(text)))
    do {
      guard let value = try scanner.nextValue(), try scanner.next() == .end else { return nil }
      self = value
    } catch {
      return nil
    }
  }

  var text: String? {
    if case .string(let text) = content { text } else { nil }
  }
}

private struct TextInMemory: ByteSource {
  let name = "<line>"
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  mutating func read(into space: UnsafeMutableRawBufferPointer) -> Int {
    let piece = rest.prefix(space.count)
    space.copyBytes(from: piece)
    rest = rest.dropFirst(piece.count)
    return piece.count
  }
}
