#if !StoreObservation
  #error("The product StoreObservation requires the trait StoreObservation of its package")
#endif

public import Logging
public import Metrics
public import StoreEngine
import Synchronization
public import Tracing

/// An observer that writes log lines, metrics and spans for the requests of a store.
///
///     let telemetry = StoreTelemetry(logger: Logger(label: "shop.store"), slowAfter: .milliseconds(100))
///     let store = try await PersistentStore.open(
///       "Shop.sqlite", schema: ShopModel.self, options: .init(observer: telemetry))
///
/// Metrics and spans are sent to the systems that the program has bootstrapped. The log contains a line for each
/// statement at the level `trace`, and a line for each request at `debug`, or at `warning` if the request was slow. Log
/// lines, metrics and spans don't contain values of rows or requests, unless `showsValues` is true.
///
/// | metric | dimensions | content |
/// |---|---|---|
/// | `storetool.requests` | kind, outcome | counter |
/// | `storetool.rows` | kind | counter of read or changed rows |
/// | `storetool.duration` | kind | timer of the request's work, including waiting for locks of other processes |
/// | `storetool.wait` | kind | timer of the time before the work, while other requests of the program used the store |
/// | `storetool.lock_wait` | kind | timer of the time to wait for locks of other processes, if it isn't zero |
/// | `storetool.compilations` | reused | counter of reads. `reused` is `true` if the read had been compiled before |
/// | `storetool.readers` | | meter of open connections for concurrent reads |
public struct StoreTelemetry: StoreObserver {
  /// Whether the log and the spans contain each SQL statement.
  public let followsStatements: Bool
  /// Whether the statements in the log and in spans contain their values.
  public let showsValues: Bool
  let logger: Logger?
  let slowAfter: Duration?
  let metrics: RequestMetrics?
  private let tracer: (any Tracer)?

  /// Creates an observer. Bootstrap the program's systems for logs, metrics and traces first.
  ///
  /// - Parameters:
  ///   - logger: the logger. `nil` disables the log.
  ///   - slowAfter: the limit for the duration of a request, including waiting. A request that took longer is logged as
  ///     a warning when it ends. `nil` disables these warnings.
  ///   - metrics: the factory of the metrics. `nil` disables metrics.
  ///   - tracer: the tracer. `nil` disables spans.
  ///   - followsStatements: whether each SQL statement is a line in the log and an event in the span.
  ///   - showsValues: whether the statements contain their values.
  public init(
    logger: Logger? = nil, slowAfter: Duration? = nil,
    metrics: (any MetricsFactory)? = MetricsSystem.factory,
    tracer: (any Tracer)? = InstrumentationSystem.tracer, followsStatements: Bool = true,
    showsValues: Bool = false
  ) {
    self.logger = logger
    self.slowAfter = slowAfter
    self.metrics = metrics.map { RequestMetrics($0) }
    self.tracer = tracer
    self.followsStatements = followsStatements
    self.showsValues = showsValues
  }

  /// Starts a span for a request, unless spans are disabled, and returns the request's observer.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - path: the path of the store.
  /// - Returns: the observer of the request.
  public func begin(_ request: StoreRequest, on path: String) -> (any RequestObserver)? {
    var span: (any Span)?
    if let tracer {
      // The parent is the span of the current task, if there is one.
      let begun = tracer.startAnySpan(request.name, ofKind: .client)
      begun.attributes["db.system.name"] = "sqlite"
      begun.attributes["db.operation.name"] = request.kind.rawValue
      if let entity = request.entity { begun.attributes["db.collection.name"] = entity }
      span = begun
    }
    return RequestTelemetry(telemetry: self, path: path, span: span)
  }
}

extension StoreRequest {
  /// The name of the request's span, such as `fetch Item`.
  var name: String { entity.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue }
}

/// The metrics of an observer, which are created on first use.
final class RequestMetrics: Sendable {
  private struct Key: Hashable {
    var label: String
    var dimensions: [String]
  }

  private struct Made {
    var counters: [Key: Counter] = [:]
    var timers: [Key: Metrics.Timer] = [:]
    var readers: Meter?
  }

  private let factory: any MetricsFactory
  private let made = Mutex(Made())

  init(_ factory: any MetricsFactory) { self.factory = factory }

  func record(_ event: RequestEvent) {
    let kind = [("kind", event.request.kind.rawValue)]
    counter("storetool.requests", kind + [("outcome", event.outcome.name)]).increment()
    if event.rows > 0 { counter("storetool.rows", kind).increment(by: event.rows) }
    timer("storetool.duration", kind).recordNanoseconds(event.ran.nanoseconds)
    timer("storetool.wait", kind).recordNanoseconds(event.waited.nanoseconds)
    if event.waitedForLock > .zero {
      timer("storetool.lock_wait", kind).recordNanoseconds(event.waitedForLock.nanoseconds)
    }
    for (count, isReused) in [(event.compiled, "false"), (event.reused, "true")] where count > 0 {
      counter("storetool.compilations", [("reused", isReused)]).increment(by: count)
    }
    readers.set(Int64(event.openReaders))
  }

  private func counter(_ label: String, _ dimensions: [(String, String)]) -> Counter {
    let key = Key(label: label, dimensions: dimensions.map(\.1))
    return made.withLock { made in
      if let known = made.counters[key] { return known }
      let counter = Counter(label: label, dimensions: dimensions, factory: factory)
      made.counters[key] = counter
      return counter
    }
  }

  private func timer(_ label: String, _ dimensions: [(String, String)]) -> Metrics.Timer {
    let key = Key(label: label, dimensions: dimensions.map(\.1))
    return made.withLock { made in
      if let known = made.timers[key] { return known }
      let timer = Metrics.Timer(label: label, dimensions: dimensions, factory: factory)
      made.timers[key] = timer
      return timer
    }
  }

  private var readers: Meter {
    made.withLock { made in
      let meter = made.readers ?? Meter(label: "storetool.readers", factory: factory)
      made.readers = meter
      return meter
    }
  }
}

/// The observer of one request.
struct RequestTelemetry: RequestObserver {
  let telemetry: StoreTelemetry
  let path: String
  let span: (any Span)?

  /// Runs the work of the request. Spans that start during the work, such as in a transaction's closure, become
  /// children of the request's span.
  func run<Result>(_ work: () throws -> Result) rethrows -> Result {
    guard let span else { return try work() }
    return try ServiceContext.withValue(span.context, operation: work)
  }

  func ended(_ statement: StatementEvent) {
    let sql = statement.sqlWithValues ?? statement.sql
    telemetry.logger?.trace(
      "statement", metadata: ["sql": "\(sql)", "ms": "\(statement.duration.milliseconds)"])
    if let span, span.isRecording {
      span.addEvent(
        SpanEvent(
          name: "statement",
          attributes: [
            "db.query.text": .string(sql), "storetool.ms": .double(statement.duration.milliseconds),
          ]))
    }
  }

  func ended(_ request: RequestEvent) {
    telemetry.metrics?.record(request)
    log(request)
    guard let span else { return }
    span.attributes["db.response.returned_rows"] = request.rows
    span.attributes["storetool.wait_ms"] = request.waited.milliseconds
    span.attributes["storetool.lock_wait_ms"] = request.waitedForLock.milliseconds
    switch request.outcome {
    case .succeeded: break
    case .failed(let reason):
      span.attributes["error.type"] = reason.rawValue
      span.setStatus(SpanStatus(code: .error, message: reason.rawValue))
    case .cancelled, .refused: span.attributes["storetool.outcome"] = request.outcome.name
    }
    span.end()
  }

  private func log(_ request: RequestEvent) {
    guard let logger = telemetry.logger else { return }
    let isSlow = telemetry.slowAfter.map { request.waited + request.ran > $0 } ?? false
    let level: Logger.Level = isSlow ? .warning : .debug
    guard logger.logLevel <= level else { return }
    var metadata: Logger.Metadata = [
      "store": "\(path)", "outcome": "\(request.outcome.name)", "rows": "\(request.rows)",
      "wait-ms": "\(request.waited.milliseconds)", "ms": "\(request.ran.milliseconds)",
    ]
    if request.waitedForLock > .zero {
      metadata["lock-wait-ms"] = "\(request.waitedForLock.milliseconds)"
    }
    if case .failed(let reason) = request.outcome { metadata["reason"] = "\(reason.rawValue)" }
    logger.log(
      level: level, "\(isSlow ? "slow request: " : "")\(request.request.name)", metadata: metadata)
  }
}

extension RequestEvent.Result {
  var name: String {
    switch self {
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .cancelled: "cancelled"
    case .refused: "refused"
    }
  }
}

extension Duration {
  /// The milliseconds, rounded to a microsecond.
  var milliseconds: Double { (self / .microseconds(1)).rounded() / 1_000 }

  var nanoseconds: Int64 { Int64(self / .nanoseconds(1)) }
}
