import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A server of the page on one address, until the process ends.
package final class PageServer: Sendable {
  /// The limits of resources for all clients.
  enum Limit {
    static let connections = 256
    /// Some of them are for files and pipes.
    static let descriptors = 1024
    static let otherDescriptors = 160
    /// The number of commands that can run at the same time. Each is a process.
    static let answers = 16
    static let headerField = 8 << 10
    static let headers = 32 << 10
    static let headerCount = 64
    static let body = 1 << 20
    /// The bytes of all incomplete requests.
    static let bodies = 8 << 20
    /// The time for the start of the first request on a new connection.
    static let silence = TimeAmount.seconds(5)
    /// The time for a complete request after its start or after the previous answer.
    static let request = TimeAmount.seconds(20)
    /// The time for a client to read written bytes.
    static let stall = TimeAmount.seconds(60)
  }

  private let channel: any Channel
  package let port: Int

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - address: a numeric address.
  ///   - token: the start of all paths.
  /// - Throws: `PageServerError`
  package init(
    at address: ListeningAddress, token: String, service: any PageService
  ) throws(PageServerError) {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let threads = NIOThreadPool(numberOfThreads: Limit.answers)
    let descriptors = DescriptorLimit.raise(to: Limit.descriptors)
    let load = ServerLoad(
      mostConnections: max(8, min(Limit.connections, descriptors - Limit.otherDescriptors)))
    let listening = NIOLockedValueBox(0)
    threads.start()
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        let hasRoom = load.takeConnection()
        channel.closeFuture.whenComplete { _ in load.giveConnection() }
        guard hasRoom else { return channel.close() }
        let gate = RequestGuard(
          token: token, host: address.name,
          port: listening.withLockedValue { $0 }, isLoopback: address.isLoopback)
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withErrorHandling: false, withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: Self.decoding)
          try channel.pipeline.syncOperations.addHandler(
            ConnectionHandler(gate, service, threads, load))
        }
      }
    do {
      channel = try bootstrap.bind(to: address.socket).wait()
    } catch {
      throw PageServerError.notListening(
        host: address.name, port: address.socket.port ?? 0, reason: "\(error)")
    }
    self.port = channel.localAddress?.port ?? 0
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

/// The reason if the server can't start.
package enum PageServerError: Error, Hashable {
  /// The text isn't a numeric address.
  case noAddress(String)
  case notListening(host: String, port: Int, reason: String)
}

/// The number of descriptors that this process can open.
enum DescriptorLimit {
  /// Raises the limit as far as the system allows, because macOS begins with 256.
  ///
  /// - Returns: the new limit.
  static func raise(to wanted: Int) -> Int {
    #if canImport(Glibc)
      let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let descriptors = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(descriptors, &limit) == 0 else { return 256 }
    let before = limit.rlim_cur
    guard before < rlim_t(wanted) else { return wanted }
    limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
    return Int(setrlimit(descriptors, &limit) == 0 ? limit.rlim_cur : before)
  }
}
