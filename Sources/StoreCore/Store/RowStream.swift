package import PredicateSQL
package import RecordFormats
package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout

/// Runs a query and writes its rows in a format.
///
/// It uses two threads: the calling thread, which owns the connection, runs the statement and packs the values. The
/// second thread formats and writes them.
package struct RowStream {
  private let query: CompiledQuery
  private let connection: Connection
  private let cancellation: Cancellation
  /// Is called for each batch with the number of rows so far.
  private let progress: (Int) -> Void

  package init(
    _ query: CompiledQuery, on connection: Connection,
    cancellation: Cancellation = .ofProcess, progress: @escaping (Int) -> Void = { _ in }
  ) {
    self.query = query
    self.connection = connection
    self.cancellation = cancellation
    self.progress = progress
  }

  /// Writes the rows and returns their number.
  ///
  /// - Throws: `OutputClosed`, `OutputError`, `ExternalValueMissing`, `DatabaseError`, `Cancelled`.
  @discardableResult
  package func writeAll(
    as format: RowFormat, sectioned: Bool = false, style: RowStyle = RowStyle(),
    context: RowContext, to sink: some ByteSink
  ) throws -> Int {
    var statement = try connection.prepare(query.sql)
    let width = Int(statement.columnCount)
    let shape = context.shape(of: query, width: width)
    let queue = BatchQueue(width: width)
    let writer = WorkerThread(named: "storetool.format") {
      do {
        var output = FormattedOutput(
          format.formatter(for: shape, sectioned: sectioned, style: style), to: sink)
        while let batch = try queue.takeFilled() {
          try output.append(batch)
          queue.putEmpty(batch)
        }
        try output.finish()
      } catch {
        queue.fail(error)
        throw error
      }
    }
    let count: Int
    do {
      count = try queue.fill(from: &statement) { count in
        progress(count)
        try cancellation.check()
      }
      queue.finish()
    } catch {
      queue.fail(error)
      // If both threads fail, the first error causes the second one, and `join` throws the first one.
      try writer.join()
      throw error
    }
    try writer.join()
    return count
  }
}

/// The store and the layout of a query's rows.
package struct RowContext: Sendable {
  package var layout: StoreLayout
  /// The UUID of the store for object IDs.
  package var store: String?
  /// The folder with the external values of the store.
  package var externalFolder: ExternalFolder?

  package init(layout: StoreLayout, store: String?, externalFolder: ExternalFolder? = nil) {
    self.layout = layout
    self.store = store
    self.externalFolder = externalFolder
  }

  package func shape(of query: CompiledQuery, width: Int) -> RowShape {
    shape(of: query.columns, width: width)
  }

  /// - Parameter width: the number of columns in the SELECT.
  package func shape(of columns: [ResultColumn], width: Int) -> RowShape {
    RowShape(columns, self, width: width)
  }
}

/// A formatter, its buffer, and the destination of the buffer.
struct FormattedOutput: ~Copyable {
  private var formatter: any RowFormatter
  private var buffer = ByteBuffer(capacity: Self.limit * 2)
  private let sink: any ByteSink
  private static let limit = 1 << 16

  init(_ formatter: any RowFormatter, to sink: any ByteSink) {
    self.formatter = formatter
    self.sink = sink
    self.formatter.begin(into: &buffer)
  }

  mutating func append(_ rows: PackedRows) throws {
    try formatter.append(rows, into: &buffer)
    if buffer.count >= Self.limit { try flush() }
  }

  mutating func finish() throws {
    formatter.end(into: &buffer)
    try flush()
  }

  private mutating func flush() throws {
    try sink.write(buffer.bytes)
    buffer.removeAll()
  }
}

extension RowShape {
  fileprivate init(_ results: [ResultColumn], _ context: RowContext, width: Int) {
    let cells = results.map { column in
      switch column.source {
      case .value(let index, _): index
      case .objectID(let key, _): key
      case .objectIDs(let index): index
      }
    }
    let columns = results.map { column in
      switch column.source {
      case .value(_, let type):
        Column(name: column.name, content: .init(type, isExternal: column.allowsExternalStorage))
      case .objectID(_, let entity):
        Column(name: column.name, content: .objectID(Prefixes(entity, context)))
      case .objectIDs:
        Column(name: column.name, content: .objectIDs(Prefixes.byNumber(context)))
      }
    }
    self.init(
      columns: columns, cells: cells, width: width,
      largeValues: StoredValueReader(folder: context.externalFolder))
  }
}

extension RowShape.Prefixes {
  fileprivate init(_ source: ResultColumn.EntitySource, _ context: RowContext) {
    switch source {
    case .fixed(let entity): self = .fixed(Self.prefix(entity, context))
    case .number(let cell): self = .byEntity(cell: cell, Self.byNumber(context))
    }
  }

  /// Returns the prefixes of all entities by number.
  fileprivate static func byNumber(_ context: RowContext) -> [Int64: [UInt8]] {
    let pairs = context.layout.entities.map { ($0.number, prefix($0.name, context)) }
    return Dictionary(pairs) { first, _ in first }
  }

  private static func prefix(_ entity: String, _ context: RowContext) -> [UInt8] {
    Array("x-coredata://\(context.store ?? "")/\(entity)/p".utf8)
  }
}
