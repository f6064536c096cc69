import NIOCore
import NIOHTTP1

/// The answering thread's end of a connection.
struct ConnectionClient: PageClient {
  private let channel: any Channel
  private let place: AnswerPlace
  private let keepsAlive: Bool

  init(_ channel: any Channel, at place: AnswerPlace, keepsAlive: Bool) {
    self.channel = channel
    self.place = place
    self.keepsAlive = keepsAlive
  }

  var isGone: Bool { !channel.isActive }

  func begin(status: Int, contentType: String) throws(ClientGone) {
    var headers = PageHeaders.of(contentType)
    if !keepsAlive { headers.add(name: "connection", value: "close") }
    try send(
      .head(
        HTTPResponseHead(
          version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: headers)))
  }

  func write(_ bytes: [UInt8]) throws(ClientGone) {
    try send(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
  }

  func end() throws(ClientGone) {
    // Whoever has read the end may ask for the next answer at once.
    place.giveBack()
    try send(.end(nil))
    if !keepsAlive { channel.close(promise: nil) }
  }

  func breakOff() { channel.close(promise: nil) }

  /// Waits until the bytes are with the system, so that no more is made than is read.
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
