import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

/// Serves the page on one address until the process ends.
package final class PageServer: Sendable {
  /// What one client, or a thousand, can cost.
  enum Limit {
    static let connections = 256
    /// Commands that run at the same time: each is a process.
    static let answers = 16
    static let headerField = 8 << 10
    static let headers = 32 << 10
    static let headerCount = 64
    static let body = 1 << 20
    /// For a request to be there whole, from its connection or the answer before on.
    static let request = TimeAmount.seconds(20)
    /// For a client to take what was written.
    static let stall = TimeAmount.seconds(60)
  }

  private let channel: any Channel
  package let port: Int

  /// Listens from now on.
  ///
  /// - Parameters:
  ///   - host: an address of digits: names are not looked up.
  ///   - port: 0 for a free one.
  ///   - token: what addresses begin with.
  /// - Throws: `PageServerError`
  package init(
    host: String, port: Int, token: String, service: any PageService
  ) throws(PageServerError) {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let threads = NIOThreadPool(numberOfThreads: Limit.answers)
    let open = NIOLockedValueBox(0)
    let running = NIOLockedValueBox(0)
    let listening = NIOLockedValueBox(0)
    let address: SocketAddress
    do {
      address = try SocketAddress(ipAddress: host, port: port)
    } catch {
      throw PageServerError.noAddress(host)
    }
    let isLoopback = ["127.0.0.1", "::1"].contains(host)
    threads.start()
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        let count = open.withLockedValue { count in
          count += 1
          return count
        }
        channel.closeFuture.whenComplete { _ in open.withLockedValue { $0 -= 1 } }
        guard count <= Limit.connections else { return channel.close() }
        let gate = RequestGuard(
          token: token, port: listening.withLockedValue { $0 }, isLoopback: isLoopback)
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withErrorHandling: true, withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: Self.decoding)
          try channel.pipeline.syncOperations.addHandler(
            ConnectionHandler(gate, service, threads, running))
        }
      }
    do {
      channel = try bootstrap.bind(to: address).wait()
    } catch {
      throw PageServerError.notListening(host: host, port: port, reason: "\(error)")
    }
    self.port = channel.localAddress?.port ?? port
    listening.withLockedValue { $0 = self.port }
  }

  private static var decoding: NIOHTTPDecoderLimitConfiguration {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = Limit.headerField
    limits.maxHeaderListSize = Limit.headers
    limits.maxHeaderFieldCount = Limit.headerCount
    return limits
  }
}

/// Why nothing is served.
package enum PageServerError: Error, Hashable {
  /// Not an address of digits.
  case noAddress(String)
  case notListening(host: String, port: Int, reason: String)
}
