import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// One connection: takes its requests one after the other, and answers each.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let gate: RequestGuard
  private let service: any PageService
  private let threads: NIOThreadPool
  /// How many commands run, of all connections.
  private let running: NIOLockedValueBox<Int>
  /// What the request that is being read will get; nil before its head.
  private var verdict: RequestGuard.Verdict?
  private var body: [UInt8] = []
  private var keepsAlive = true
  private var deadline: Scheduled<Void>?

  init(
    _ gate: RequestGuard, _ service: any PageService, _ threads: NIOThreadPool,
    _ running: NIOLockedValueBox<Int>
  ) {
    self.gate = gate
    self.service = service
    self.threads = threads
    self.running = running
  }

  func channelActive(context: ChannelHandlerContext) {
    startWaiting(context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      keepsAlive = head.isKeepAlive
      body = []
      let verdict = gate.verdict(
        on: .init(method: head.method.rawValue, path: head.uri, values: { head.headers[$0] }))
      self.verdict = verdict
      // Nothing more of it is read.
      if case .refused(let refusal) = verdict { refuse(refusal, context) }
    case .body(let part):
      guard case .answer = verdict else { return }
      guard body.count + part.readableBytes <= PageServer.Limit.body else {
        verdict = .refused(.tooLarge)
        return refuse(.tooLarge, context)
      }
      body.append(contentsOf: part.readableBytesView)
    case .end: answer(context)
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    deadline?.cancel()
    defer { verdict = nil }
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

  /// Hands the request to a thread: what it asks for may take as long as it likes.
  private func run(_ kind: AnswerKind, _ context: ChannelHandlerContext) {
    let isFree = running.withLockedValue { count in
      guard count < PageServer.Limit.answers else { return false }
      count += 1
      return true
    }
    guard isFree else { return refuse(.busy, context) }
    let (body, service, running) = (body, service, running)
    let client = ConnectionClient(context.channel, keepsAlive: keepsAlive)
    self.body = []
    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    threads.submit { _ in
      service.answer(body, as: kind, to: client)
      running.withLockedValue { $0 -= 1 }
      bound.eventLoop.execute {
        if bound.value.channel.isActive { handler.value.startWaiting(bound.value) }
      }
    }
  }

  private func startWaiting(_ context: ChannelHandlerContext) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: PageServer.Limit.request) {
      channel.close(promise: nil)
    }
  }

  private func refuse(_ refusal: RequestGuard.Refusal, _ context: ChannelHandlerContext) {
    deadline?.cancel()
    keepsAlive = false
    send(
      refusal.status, "text/plain; charset=utf-8", ByteBuffer(string: refusal.text + "\n"), context)
  }

  private func send(
    _ status: Int, _ contentType: String, _ content: ByteBuffer, _ context: ChannelHandlerContext
  ) {
    var headers = PageHeaders.of(contentType, length: content.readableBytes)
    if !keepsAlive { headers.add(name: "connection", value: "close") }
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(content))), promise: nil)
    let sent = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    guard keepsAlive else {
      let channel = context.channel
      return sent.whenComplete { _ in channel.close(promise: nil) }
    }
    startWaiting(context)
  }
}
