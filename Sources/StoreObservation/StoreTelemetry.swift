public import Logging
public import Metrics
public import StoreEngine
public import Tracing

/// Log lines, metrics and spans of the requests of a store.
///
///     let telemetry = StoreTelemetry(logger: Logger(label: "shop.store"), slowAfter: .milliseconds(100))
///     let store = try await PersistentStore.open(
///       "Shop.sqlite", schema: ShopModel.self, options: .init(observer: telemetry))
///
/// Metrics and spans go to the systems that the program has bootstrapped, and nowhere without one. To the log goes what
/// the logger's level lets through: at `debug` a line for each request, at `trace` one for each statement, and at
/// `warning` what was slow. No line, metric or span has a value of a row or of a request, unless `showsValues` says so.
///
/// | metric | dimensions | what |
/// |---|---|---|
/// | `storetool.requests` | kind, outcome | counter |
/// | `storetool.rows` | kind | counter of rows read or changed |
/// | `storetool.duration` | kind | timer, without the waiting |
/// | `storetool.wait` | kind | timer of the waiting for a turn |
/// | `storetool.lock_wait` | kind | timer of the waiting for another process, where there was any |
/// | `storetool.compilations` | reused | counter of reads that had to be compiled, and those that had not |
/// | `storetool.readers` | | meter of the open connections that read |
public struct StoreTelemetry: StoreObserver {
  public let followsStatements: Bool
  public let showsValues: Bool
  let logger: Logger?
  let slowAfter: Duration?
  let metrics: RequestMetrics?
  private let tracer: (any Tracer)?

  /// To be made when the program's systems for logs, metrics and traces are bootstrapped.
  ///
  /// - Parameters:
  ///   - logger: nil for no log.
  ///   - slowAfter: what a request may take, its waiting included, before it is a warning in the log; nil for any time.
  ///   - metrics: nil for none.
  ///   - tracer: nil for no spans.
  ///   - followsStatements: whether each SQL statement has its line in the log and its event in the span.
  ///   - showsValues: whether these have the values in them that the statement was run with.
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

  public func begin(_ request: StoreRequest, on path: String) -> (any RequestObserver)? {
    var span: (any Span)?
    if let tracer {
      // Of the task's own span, if it has one.
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
  /// `fetch Item`
  var name: String { entity.map { "\(kind.rawValue) \($0)" } ?? kind.rawValue }
}
