import StoreDiagnostics
import RecordFormats

/// What became of a store: a line of the journal, and what a worker says when it is done with one.
struct FleetRecord: Hashable {
  enum Result: String, Hashable {
    /// A request that must not be applied twice is about to be.
    case begun
    case done
    case failed
    /// Not done, and as it was, since the run was stopped.
    case skipped
  }

  /// In JSON as the text of an argument (`ArgumentText`): two stores never have one text.
  var store: FilePath
  var outcome: Result
  /// Of the first error, with its sentence.
  var code: String?
  var message: String?
  /// With which the command alone would have ended.
  var status: Int32 = 0
  /// What the store's files were like before; of one that is begun.
  var fingerprint: String?

  init(_ store: FilePath, _ outcome: Result) {
    self.store = store
    self.outcome = outcome
  }

  init(_ store: FilePath, failed code: String, _ message: String, status: ExitStatus) {
    self.init(store, .failed)
    self.code = code
    self.message = message
    self.status = status.rawValue
  }

  /// Whether another process held the store, which may have let go of it since.
  var isBusy: Bool { outcome == .failed && status == ExitStatus.busy.rawValue }

  /// Whether the user stopped the command: the store is as it was, and not done.
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

  /// Nil for what is no such line, as one that was cut off.
  init?(line: some Sequence<UInt8>) {
    guard let value = JSONValue(text: line), let store = value["store"]?.text,
      let outcome = value["outcome"]?.text.flatMap(Result.init)
    else { return nil }
    self.init(ArgumentText.path(store), outcome)
    code = value["code"]?.text
    message = value["message"]?.text
    fingerprint = value["fingerprint"]?.text
    if case .number(let digits)? = value["status"]?.content { status = Int32(digits) ?? 0 }
  }
}

extension JSONValue {
  /// Nil for what is not one value of JSON.
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

/// Bytes that are there already.
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
