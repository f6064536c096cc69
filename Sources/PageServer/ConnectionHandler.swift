import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import PageAssets

/// Handles a connection: reads one request after another, and answers each of them.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let requestGuard: RequestGuard
  private let service: any PageService
  private let threads: NIOThreadPool
  private let load: ServerLoad
  /// The decision about the current request, or nil before its head and after its end.
  private var verdict: RequestGuard.Verdict?
  private var body: [UInt8] = []
  /// The number of the current request on this connection. `finish` compares it, because the next request can arrive
  /// before the previous one is finished.
  private var number = 0
  private var isAnswering = false
  private var keepsAlive = true
  private var deadline: Scheduled<Void>?

  init(
    _ requestGuard: RequestGuard, _ service: any PageService, _ threads: NIOThreadPool,
    _ load: ServerLoad
  ) {
    self.requestGuard = requestGuard
    self.service = service
    self.threads = threads
    self.load = load
  }

  func channelActive(context: ChannelHandlerContext) {
    startWaiting(context, PageServer.Limit.silence)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    dropBody()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // While a request is read or answered, an answer to the invalid data can't be sent.
    guard error is HTTPParserError, verdict == nil, !isAnswering else {
      return context.close(promise: nil)
    }
    refuse(.malformed, context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      number += 1
      isAnswering = false
      keepsAlive = head.isKeepAlive
      dropBody()
      startWaiting(context)
      let verdict = requestGuard.verdict(
        on: .init(
          method: head.method.rawValue, path: head.uri,
          isOld: head.version != .http1_1, values: { head.headers[$0] }))
      self.verdict = verdict
      // A rejected request is answered immediately, and the rest of it is ignored.
      if case .refused(let refusal) = verdict { refuse(refusal, context) }
    case .body(let part):
      guard case .answer = verdict else { return }
      guard body.count + part.readableBytes <= PageServer.Limit.body else {
        return refuse(.tooLarge, context)
      }
      guard load.takeBody(part.readableBytes) else { return refuse(.busy, context) }
      body.append(contentsOf: part.readableBytesView)
    case .end: answer(context)
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    deadline?.cancel()
    let verdict = verdict
    // This is set before the answer is sent, because the next request can arrive as soon as the answer ends.
    self.verdict = nil
    switch verdict {
    case .asset(let name):
      guard let asset = PageAsset(named: name) else { return refuse(.noSuchPage, context) }
      send(200, asset.contentType, ByteBuffer(bytes: asset.bytes), context)
    case .description:
      send(200, "application/json", ByteBuffer(bytes: service.description), context)
    case .answer(let kind): run(kind, context)
    case .refused, nil: break
    }
  }

  /// Answers the request on another thread, because producing the answer can take long.
  private func run(_ kind: AnswerKind, _ context: ChannelHandlerContext) {
    guard let place = AnswerPlace(in: load) else { return refuse(.busy, context) }
    let (body, service, number) = (body, service, number)
    let client = ConnectionClient(
      channel: context.channel, place: place, keepsAlive: keepsAlive)
    dropBody()
    isAnswering = true
    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    threads.submit { _ in
      service.answer(body, as: kind, to: client)
      place.giveBack()
      bound.eventLoop.execute { handler.value.finish(number, bound.value) }
    }
  }

  /// Finishes a request, unless the next request, which has its own deadline, has already arrived.
  private func finish(_ number: Int, _ context: ChannelHandlerContext) {
    guard number == self.number else { return }
    isAnswering = false
    if context.channel.isActive { startWaiting(context) }
  }

  private func startWaiting(
    _ context: ChannelHandlerContext, _ time: TimeAmount = PageServer.Limit.request
  ) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }

  private func dropBody() {
    load.giveBody(body.count)
    body = []
  }

  private func refuse(_ refusal: RequestGuard.Refusal, _ context: ChannelHandlerContext) {
    verdict = .refused(refusal)
    deadline?.cancel()
    dropBody()
    keepsAlive = false
    send(
      refusal.status, "text/plain; charset=utf-8", ByteBuffer(string: refusal.text + "\n"), context)
  }

  private func send(
    _ status: Int, _ contentType: String, _ content: ByteBuffer, _ context: ChannelHandlerContext
  ) {
    // If a client sends requests without reading the answers, the connection is closed, because the answers would
    // accumulate in memory. A browser reads an answer before its next request.
    guard context.channel.isWritable else { return context.close(promise: nil) }
    // The deadline begins before the answer is sent, because the next request can arrive as soon as the answer ends.
    if keepsAlive { startWaiting(context) }
    let head = PageHead.of(
      status, contentType, length: content.readableBytes, keepsAlive: keepsAlive)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(content))), promise: nil)
    let sent = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    guard !keepsAlive else { return }
    let channel = context.channel
    sent.whenComplete { _ in channel.close(promise: nil) }
  }
}

/// A file of the page, which is embedded in the program.
struct PageAsset {
  let contentType: String
  let bytes: UnsafeBufferPointer<UInt8>

  /// Finds an embedded file by its complete name, or returns nil. The name isn't used as a path in the file system.
  init?(named name: String) {
    for index in 0..<page_asset_count {
      guard let asset = page_assets?[index] else { return nil }
      guard let found = asset.name, String(cString: found) == name else { continue }
      bytes = UnsafeBufferPointer(start: asset.bytes, count: asset.length)
      contentType = Self.contentType(of: name)
      return
    }
    return nil
  }

  private static func contentType(of name: String) -> String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "svg": "image/svg+xml"
    default: "application/octet-stream"
    }
  }
}

/// A connection as the destination of an answer that another thread produces.
struct ConnectionClient: PageClient {
  let channel: any Channel
  let place: AnswerPlace
  let keepsAlive: Bool

  var isGone: Bool { !channel.isActive }

  func begin(status: Int, contentType: String) throws(ClientGone) {
    try send(.head(PageHead.of(status, contentType, keepsAlive: keepsAlive)))
  }

  func write(_ bytes: [UInt8]) throws(ClientGone) {
    try send(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
  }

  func end() throws(ClientGone) {
    // The slot is released first, because the client can send the next request as soon as the answer ends.
    place.giveBack()
    try send(.end(nil))
    if !keepsAlive { channel.close(promise: nil) }
  }

  func breakOff() { channel.close(promise: nil) }

  /// Sends a part of the answer. Waits until the system has accepted the bytes, so that answers aren't produced faster
  /// than they are read.
  private func send(_ part: HTTPServerResponsePart) throws(ClientGone) {
    let channel = channel
    let sent = channel.eventLoop.flatSubmit {
      let stall = channel.eventLoop.scheduleTask(in: PageServer.Limit.stall) {
        channel.close(promise: nil)
      }
      let written = channel.writeAndFlush(part)
      written.whenComplete { _ in stall.cancel() }
      return written
    }
    do {
      try sent.wait()
    } catch {
      throw ClientGone()
    }
  }
}

/// The status and the headers of all answers. The page may only load content and scripts from this server, except
/// images that its scripts create (`blob:`).
enum PageHead {
  static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:",
    "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    "require-trusted-types-for 'script'", "trusted-types 'none'",
  ].joined(separator: "; ")

  static func of(
    _ status: Int, _ contentType: String, length: Int? = nil, keepsAlive: Bool
  ) -> HTTPResponseHead {
    var headers: HTTPHeaders = [
      "content-type": contentType, "content-security-policy": policy,
      "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=()", "cache-control": "no-store",
    ]
    if let length { headers.add(name: "content-length", value: "\(length)") }
    if !keepsAlive { headers.add(name: "connection", value: "close") }
    return HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: headers)
  }
}

/// One of the slots that limit how many answers are produced at the same time.
final class AnswerPlace: Sendable {
  private let load: ServerLoad
  private let isTaken = NIOLockedValueBox(true)

  /// Takes a slot; nil if all slots are in use.
  init?(in load: ServerLoad) {
    guard load.takeAnswer() else { return nil }
    self.load = load
  }

  /// Releases the slot. Only the first call has an effect.
  func giveBack() {
    let wasTaken = isTaken.withLockedValue { isTaken in
      defer { isTaken = false }
      return isTaken
    }
    if wasTaken { load.giveAnswer() }
  }
}
