import Foundation
import Logging
import ServiceLifecycle
import Testing

@testable import TeaServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server that runs during a test, with stores in a temporary folder.
enum TestServer {
  /// Runs a server on new stores.
  ///
  /// - Parameters:
  ///   - prepare: Receives the folder before the server starts.
  ///   - test: Sends requests to the server after its stores are open.
  static func run(
    uploadLimit: Int = 1 << 20, prepare: (URL) async throws -> Void = { _ in },
    _ test: (Client) async throws -> Void
  ) async throws {
    try await inFolder { folder in
      try await prepare(folder)
      try await run(in: folder, uploadLimit: uploadLimit, test)
    }
  }

  /// Starts a server on existing stores. After the test, the server shuts down like after SIGTERM.
  static func run(
    in folder: URL, uploadLimit: Int = 1 << 20, _ test: (Client) async throws -> Void
  ) async throws {
    var logger = Logger(label: "test")
    logger.logLevel = .error
    let (ports, sink) = AsyncStream.makeStream(of: Int.self)
    let settings = Settings(
      folder: folder.path, address: .hostname("127.0.0.1", port: 0), uploadLimit: uploadLimit)
    let application = teaApplication(settings, logger: logger) { channel in
      sink.yield(channel.localAddress?.port ?? 0)
    }
    let group = ServiceGroup(configuration: .init(services: [application], logger: logger))
    let server = Task {
      defer { sink.finish() }
      try await group.run()
    }
    do {
      guard let port = await ports.first(where: { _ in true }) else {
        return try await server.value
      }
      let client = Client(port: port, folder: folder)
      try await client.waitUntilOpen()
      try await test(client)
    } catch {
      await group.triggerGracefulShutdown()
      try await server.value
      throw error
    }
    await group.triggerGracefulShutdown()
    try await server.value
  }

  static func inFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tea-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }
}

/// The response of a server.
struct Answer {
  var status: Int
  var headers: [AnyHashable: Any]
  var body: Data

  var text: String { String(decoding: body, as: UTF8.self) }

  func json<T: Decodable>(_: T.Type = T.self) throws -> T {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(T.self, from: body)
  }
}

/// Sends requests to one server.
struct Client {
  var port: Int
  var folder: URL

  func send(
    _ method: String, _ path: String, _ body: String? = nil, type: String = "application/json"
  ) async throws -> Answer {
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    if body != nil { request.setValue(type, forHTTPHeaderField: "Content-Type") }
    let (data, response) = try await URLSession.shared.data(for: request)
    let http = try #require(response as? HTTPURLResponse)
    return Answer(status: http.statusCode, headers: http.allHeaderFields, body: data)
  }

  func waitUntilOpen() async throws {
    for _ in 0..<500 {
      if try await send("GET", "/health").status == 200 { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    Issue.record("the stores were not opened within 10 s")
  }

  /// Returns the events of a response as they arrive, until the server ends it.
  func events(_ path: String) throws -> AsyncStream<ServerEvent> {
    let url = try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
    return EventReader.events(of: url)
  }
}

/// A server-sent event.
struct ServerEvent {
  var name: String
  var data: Data

  func json<T: Decodable>(_: T.Type = T.self) throws -> T {
    try JSONDecoder().decode(T.self, from: data)
  }
}

/// Splits the body of a response into server-sent events while it arrives.
private final class EventReader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let sink: AsyncStream<ServerEvent>.Continuation
  // Only the session's serial queue accesses this property.
  private var rest = Data()

  private init(_ sink: AsyncStream<ServerEvent>.Continuation) {
    self.sink = sink
  }

  static func events(of url: URL) -> AsyncStream<ServerEvent> {
    let (events, sink) = AsyncStream.makeStream(of: ServerEvent.self)
    let session = URLSession(
      configuration: .ephemeral, delegate: EventReader(sink), delegateQueue: nil)
    let task = session.dataTask(with: url)
    sink.onTermination = { _ in
      task.cancel()
      session.finishTasksAndInvalidate()
    }
    task.resume()
    return events
  }

  func urlSession(_: URLSession, dataTask _: URLSessionDataTask, didReceive data: Data) {
    rest.append(data)
    while let end = rest.range(of: Data("\n\n".utf8)) {
      let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).split(separator: "\n")
      rest = Data(rest[end.upperBound...])
      let name = lines.first { $0.hasPrefix("event: ") }?.dropFirst(7) ?? ""
      let data = lines.first { $0.hasPrefix("data: ") }?.dropFirst(6) ?? ""
      sink.yield(ServerEvent(name: String(name), data: Data(data.utf8)))
    }
  }

  func urlSession(_: URLSession, task _: URLSessionTask, didCompleteWithError _: (any Error)?) {
    sink.finish()
  }
}
