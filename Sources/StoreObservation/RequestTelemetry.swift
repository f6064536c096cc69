import Logging
import StoreEngine
import Tracing

/// What is told of one request.
struct RequestTelemetry: RequestObserver {
  let telemetry: StoreTelemetry
  let path: String
  let span: (any Span)?

  /// Spans that the closure of a transaction makes are within that of the request.
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
  /// To a microsecond.
  var milliseconds: Double { (self / .microseconds(1)).rounded() / 1_000 }

  var nanoseconds: Int64 { Int64(self / .nanoseconds(1)) }
}
