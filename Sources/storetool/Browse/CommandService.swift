import PageServer
import RecordFormats
import StoreDiagnostics

/// Answers requests of the page by running commands.
struct CommandService: PageService {
  let stores: [BrowsedStore]
  let allowsWriting: Bool
  private let tickets = DryRunTickets()

  var description: [UInt8] {
    let stores = stores.map { store in
      StoreFacts(
        name: store.name, path: store.path, words: store.shownWords,
        closest: store.readsClosest ? AllowedCommand.readingClosest : nil)
    }
    let page = Page(version: Version.current, writable: allowsWriting, stores: stores)
    return Array(JSONValue(encoding: page).description.utf8)
  }

  private struct Page: Encodable {
    let version: String
    let writable: Bool
    let stores: [StoreFacts]
  }

  private struct StoreFacts: Encodable {
    let name: String
    let path: LocalPath
    let words: [String]
    @OmittedIfNil var closest: [String]?
  }

  func answer(_ body: [UInt8], as kind: AnswerKind, to client: PageClient) {
    do throws(ClientGone) {
      let request: Request
      do throws(PageRequestError) {
        request = try self.request(in: body, kind)
      } catch {
        try client.begin(status: 400, contentType: "text/plain; charset=utf-8")
        try client.write(Array(error.sentence.utf8))
        return try client.end()
      }
      switch kind {
      case .frames:
        try FrameAnswer(client: client).run(request) { ticket(for: request, status: $0) }
      case .bytes: try ByteAnswer(client: client).run(request)
      }
    } catch {
      // The client has closed the connection.
    }
  }

  /// Returns the ticket with which the page can send the write after its dry run (see `DryRunTickets`); nil unless the
  /// request is a dry run that has shown the changes.
  private func ticket(for request: Request, status: Int) -> String? {
    guard request.allowed.use.writes, request.words.isDryRun, request.allowed.use.hasShown(status)
    else { return nil }
    return tickets.ticket(for: request.words, store: request.store)
  }
}

extension CommandService {
  struct Request {
    let store: Int
    let allowed: AllowedCommand
    let words: PageWords
    /// The arguments of the command's process, including the options for the store and the format.
    let line: [String]

    var writes: Bool { allowed.use.writes && !words.isDryRun }
  }

  /// - Throws: `PageRequestError` if the request is invalid or not allowed.
  func request(in body: [UInt8], _ kind: AnswerKind) throws(PageRequestError) -> Request {
    let form = try PageRequestForm(body)
    guard stores.indices.contains(form.store) else { throw .store }
    guard let allowed = AllowedCommand.named(by: form.words),
      (allowed.use.output == .bytes) == (kind == .bytes)
    else { throw .command(form.words.first ?? "") }
    let words = try PageWords(form.words, of: allowed)
    if allowed.use.writes {
      guard allowsWriting || words.isDryRun && allowed.use.triesByChecking else { throw .readOnly }
      guard words.isDryRun || !allowed.use.takesExpectation || words.hasExpectation else {
        throw .noExpectation
      }
      guard words.isDryRun || tickets.take(form.ticket, for: words, store: form.store) else {
        throw .noDryRun
      }
    }
    return Request(
      store: form.store, allowed: allowed, words: words,
      line: words.line(stores[form.store].words(for: allowed)))
  }
}

/// The body of a request, such as `{"store": 0, "words": ["fetch", "Item"], "ticket": null}`.
struct PageRequestForm {
  let store: Int
  let words: [String]
  let ticket: String?

  /// - Throws: `PageRequestError.notJSON` for other content.
  init(_ body: [UInt8]) throws(PageRequestError) {
    guard let value = JSONValue(text: body), case .array(let items)? = value["words"]?.content,
      let store = value["store"].map(\.number) ?? 0
    else { throw .notJSON }
    self.store = store
    words = items.compactMap(\.text)
    guard words.count == items.count else { throw .notJSON }
    ticket = value["ticket"]?.text
  }
}

/// A served store, and the options with which commands find it and its model.
struct BrowsedStore: Sendable {
  let path: LocalPath
  let model: LocalPath?
  let modelVersion: String?
  let readsClosest: Bool

  var name: String { "\(path.name)" }

  /// The options for the store and its model, as a user would write them.
  var shownWords: [String] {
    ["--store=\(path.argument)"] + (model.map { ["--model=\($0.argument)"] } ?? [])
      + (modelVersion.map { ["--model-version=\($0)"] } ?? [])
  }

  func words(for command: AllowedCommand) -> [String] {
    shownWords + (readsClosest && command.use.readsClosest ? ["--closest"] : []) + [
      "--format=ndjson"
    ]
  }
}

/// The answer to a request as the bytes that the command writes, or as its error messages if the command fails before
/// it has written any bytes.
struct ByteAnswer {
  let client: any PageClient

  func run(_ request: CommandService.Request) throws(ClientGone) {
    let command: ChildProcess
    do throws(ChildProcessError) {
      command = try PageRunCommand.start(request.line)
    } catch {
      return try fail(Array("the command can't be started".utf8))
    }
    do throws(ClientGone) {
      let (hasBegun, errors) = try follow(command)
      if command.wait().status == 0 {
        if !hasBegun { try begin() }
        try client.end()
      } else if hasBegun {
        client.breakOff()
      } else {
        try fail(errors.isEmpty ? Array("the command was ended".utf8) : errors)
      }
    } catch {
      command.kill()
      command.wait()
      throw error
    }
  }

  private func follow(
    _ command: ChildProcess
  ) throws(ClientGone) -> (hasBegun: Bool, errors: [UInt8]) {
    var errors: [UInt8] = []
    var hasBegun = false
    while let event = command.next(within: FrameAnswer.silence) {
      switch event {
      case .bytes(let bytes, .errors):
        errors += bytes.prefix(max(0, 1 << 16 - errors.count))
      case .bytes(let bytes, _):
        if !hasBegun { try begin() }
        hasBegun = true
        try client.write(bytes)
      case .silence: if client.isGone { throw ClientGone() }
      }
    }
    return (hasBegun, errors)
  }

  /// Sends the headers with a generic content type, because a browser would run scripts in an SVG image or an HTML page
  /// from a store.
  private func begin() throws(ClientGone) {
    try client.begin(status: 200, contentType: "application/octet-stream")
  }

  private func fail(_ errors: [UInt8]) throws(ClientGone) {
    try client.begin(status: 422, contentType: "application/x-ndjson")
    try client.write(errors)
    try client.end()
  }
}
