#if !CommandLine
  #error("The program storetool requires the trait CommandLine of its package")
#endif

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

/// A server for the page, listening on one address. It runs until the process ends.
package final class PageServer: Sendable {
  /// Resource limits. Some of them apply to all clients together, the others to each connection or request. Sizes are
  /// in bytes.
  enum Limit {
    /// The maximum number of connections, which is lower if the process can't open enough file descriptors.
    static let connections = 256
    /// The number of file descriptors that the process should be able to open.
    static let descriptors = 1024
    /// File descriptors reserved for files and pipes instead of connections.
    static let otherDescriptors = 160
    /// The maximum number of answers being produced at the same time. Most answers run a command in a separate process.
    static let answers = 16
    static let headerField = 8 << 10
    static let headers = 32 << 10
    static let headerCount = 64
    static let body = 1 << 20
    /// The maximum size of the bodies of all incomplete requests together.
    static let bodies = 8 << 20
    /// The time within which the head of the first request must arrive on a new connection.
    static let silence = TimeAmount.seconds(5)
    /// The maximum time from a request's head to its end, and from an answer to the head of the next request.
    static let request = TimeAmount.seconds(20)
    /// How long a write may wait for room in the socket's buffer. It waits if the client doesn't read.
    static let stall = TimeAmount.seconds(60)
  }

  private let channel: any Channel
  package let port: Int

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - address: the address to listen on.
  ///   - token: a secret, with which the paths of all requests must begin.
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
        let isWithinLimit = load.takeConnection()
        channel.closeFuture.whenComplete { _ in load.giveConnection() }
        guard isWithinLimit else { return channel.close() }
        let requestGuard = RequestGuard(
          token: token, host: address.name,
          port: listening.withLockedValue { $0 }, isLoopback: address.isLoopback)
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withErrorHandling: false, withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: Self.decoding)
          try channel.pipeline.syncOperations.addHandler(
            ConnectionHandler(requestGuard, service, threads, load))
        }
      }
    do {
      channel = try bootstrap.bind(to: address.socket).wait()
    } catch {
      throw PageServerError.notListening(
        host: address.name, port: address.socket.port ?? 0,
        code: (error as? IOError)?.errnoCode)
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

/// The reason why the server can't start.
package enum PageServerError: Error, Hashable {
  /// The text isn't a numeric address.
  case noAddress(String)
  /// - Parameter code: the `errno`, if known.
  case notListening(host: String, port: Int, code: CInt?)
}

/// The number of file descriptors that this process can open.
enum DescriptorLimit {
  /// Raises the limit to at most `wanted`, as far as the system allows. The default on macOS is only 256.
  ///
  /// - Returns: the resulting limit, but at most `wanted`; or 256 if the limit can't be read.
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
