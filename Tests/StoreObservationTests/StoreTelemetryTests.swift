import Foundation
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import StoreEngine
import StoreModel
import StoreModelReader
import StoreObservation
import StorePredicate
import TestSupport
import Testing
import Tracing

/// Metrics, spans and logs of requests, recorded in memory.
@Suite struct StoreTelemetryTests {
  private let folder: TemporaryFolder
  private let handler = InMemoryLogHandler()
  private let metrics = TestMetrics()
  private let tracer = InMemoryTracer()

  init() throws { folder = try TemporaryFolder() }

  private func logger(_ level: Logger.Level) -> Logger {
    var logger = Logger(label: "store") { [handler] _ in handler }
    logger.logLevel = level
    return logger
  }

  /// Creates a store with three items.
  private func open(_ telemetry: StoreTelemetry) async throws -> PersistentStore {
    let models = BuiltCommand.repository.appendingPathComponent("Models")
    let bundle = try ModelBundle(at: models.appendingPathComponent("Todo.xcdatamodeld").path)
    let model = try bundle.requireCurrentVersion().read().model
    let path = folder.path("Todo.sqlite")
    try await PersistentStore.create(path, for: model)
    let store = try await PersistentStore.open(
      path, models: [model], options: .init(observer: telemetry))
    try await store.batchInsert(
      ["tea", "milk", "secret"].map { ["name": DataValue.string($0)] }, into: "Item")
    return store
  }

  private func named(_ name: String) -> StoreFetchRequest {
    StoreFetchRequest(
      entity: "Item",
      predicate: .comparison(FormatComparison(.keyPath("name"), .equal, .value(.string(name)))))
  }

  @Test func eachRequestIsALine() async throws {
    let store = try await open(
      StoreTelemetry(logger: logger(.debug), metrics: nil, tracer: nil))
    #expect(try await store.fetch(named("secret")).count == 1)
    do {
      _ = try await store.fetch(StoreFetchRequest(entity: "Itme"))
      Issue.record("there is no such entity")
    } catch let failure as StoreError {
      #expect(failure.reason == .invalidRequest)
    }
    let lines = handler.entries
    #expect(
      lines.map { "\($0.message)" } == ["batchInsert Item", "fetch Item", "fetch Itme"])
    #expect(lines.map { "\($0.metadata["rows"] ?? "")" } == ["3", "1", "0"])
    #expect(lines.last?.metadata["outcome"] == "failed")
    #expect(lines.last?.metadata["reason"] == "invalidRequest")
    try await store.close()
  }

  @Test func valuesAreNotToldUnlessAskedFor() async throws {
    for showsValues in [false, true] {
      handler.clear()
      let store = try await open(
        StoreTelemetry(
          logger: logger(.trace), metrics: nil, tracer: tracer, showsValues: showsValues))
      #expect(try await store.fetch(named("secret")).count == 1)
      try await store.close()
      let lines = handler.entries.map { "\($0.message) \($0.metadata)" }
      #expect(lines.contains { $0.contains("FROM ZITEM t0 WHERE t0.ZNAME = ") })
      #expect(lines.contains { $0.contains("secret") } == showsValues)
      let spans = tracer.popFinishedSpans()
      let texts =
        spans.flatMap(\.events).map { "\($0.attributes)" } + spans.map { "\($0.attributes)" }
      #expect(texts.contains { $0.contains("secret") } == showsValues)
      try FileManager.default.removeItem(atPath: folder.path("Todo.sqlite"))
    }
  }

  @Test func requestsAreCounted() async throws {
    let store = try await open(StoreTelemetry(metrics: metrics, tracer: nil))
    for name in ["tea", "milk", "honey"] { _ = try await store.fetch(named(name)) }
    struct Stop: Error {}
    do {
      try await store.transaction { _ in throw Stop() }
    } catch is Stop {}
    let requests = { (kind: String, outcome: String) in
      metrics.counterTotal(
        label: "storetool.requests", dimensions: [("kind", kind), ("outcome", outcome)])
    }
    #expect(requests("fetch", "succeeded") == 3)
    #expect(requests("batchInsert", "succeeded") == 1)
    #expect(requests("transaction", "refused") == 1)
    let rows = { metrics.counterTotal(label: "storetool.rows", dimensions: [("kind", $0)]) }
    #expect(rows("fetch") == 2)
    #expect(rows("batchInsert") == 3)
    let compilations = {
      metrics.counterTotal(label: "storetool.compilations", dimensions: [("reused", $0)])
    }
    #expect(compilations("false") == 1)
    #expect(compilations("true") == 2)
    let waits = try metrics.expectTimer("storetool.wait", [("kind", "fetch")])
    #expect(waits.values.count == 3 && waits.values.allSatisfy { $0 >= 0 })
    let readers = try metrics.expectMeter("storetool.readers")
    #expect((readers.values.max() ?? 0) >= 1)
    try await store.close()
  }

  /// The task's span is the parent of the spans of requests, and of spans in the closure of a transaction.
  @Test func spansHaveTheirParents() async throws {
    let store = try await open(StoreTelemetry(metrics: nil, tracer: tracer))
    tracer.clearFinishedSpans()
    try await tracer.withSpan("order") { _ in
      try await store.transaction { [tracer] transaction in
        try tracer.withSpan("check") { _ in
          _ = try transaction.fetch(StoreFetchRequest(entity: "Item"))
        }
      }
    }
    let spans = tracer.popFinishedSpans()
    let span = { name in spans.first { $0.operationName == name } }
    let (order, transaction, check) = (
      try #require(span("order")), try #require(span("transaction")), try #require(span("check"))
    )
    #expect(transaction.parentSpanID == order.spanID)
    #expect(check.parentSpanID == transaction.spanID)
    #expect(order.traceID == check.traceID)
    #expect(transaction.events.contains { $0.name == "statement" })
    try await store.close()
  }

  @Test func everySpanEnds() async throws {
    let store = try await open(StoreTelemetry(metrics: metrics, tracer: tracer))
    var request = StoreFetchRequest(entity: "Item")
    request.limit = 2
    let results = try await store.liveResults(request)
    #expect(results.list.count == 2)
    #expect(
      metrics.counterTotal(
        label: "storetool.requests",
        dimensions: [("kind", "liveResults"), ("outcome", "succeeded")]) == 1)
    try await store.close()
    let open = tracer.activeSpans
    #expect(open.isEmpty, "\(open.map(\.operationName))")
  }

  /// A long wait is logged.
  @Test func aSlowRequestIsAWarning() async throws {
    let store = try await open(
      StoreTelemetry(
        logger: logger(.warning), slowAfter: .milliseconds(30), metrics: nil, tracer: nil))
    handler.clear()
    try await store.transaction { _ in
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(60))
    }
    #expect(handler.entries.map { "\($0.message)" }.contains("slow request: transaction"))
    try await store.close()
  }
}
