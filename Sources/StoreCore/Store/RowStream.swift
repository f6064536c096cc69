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
    let shape = context.shape(of: query.columns, width: width)
    let queue = BatchQueue(width: width)
    return try queue.sharing(withThread: "storetool.format") {
      var output = FormattedOutput(
        format.formatter(for: shape, sectioned: sectioned, style: style), to: sink)
      while let batch = try queue.takeFilled() {
        try output.append(batch)
        queue.putEmpty(batch)
      }
      try output.finish()
    } body: {
      let count = try queue.fill(from: &statement) { count in
        progress(count)
        try cancellation.check()
      }
      queue.finish()
      return count
    }
  }
}

/// The store and the layout of a query's rows.
package struct RowContext: Sendable {
  package let layout: StoreLayout
  /// The UUID of the store for object IDs.
  package let store: String?
  /// The folder with the external values of the store.
  package var externalFolder: ExternalFolder?
  /// The beginnings of the object IDs of all entities, by the entity's number. They are created only once, because a
  /// comparison creates a shape for each entity.
  private let prefixesByNumber: [Int64: [UInt8]]

  package init(layout: StoreLayout, store: String?, externalFolder: ExternalFolder? = nil) {
    self.layout = layout
    self.store = store
    self.externalFolder = externalFolder
    let prefixes = layout.entities.map { ($0.number, Self.prefix($0.name, in: store)) }
    prefixesByNumber = Dictionary(prefixes) { first, _ in first }
  }

  /// - Parameter width: the number of columns in the SELECT.
  package func shape(of columns: [ResultColumn], width: Int) -> RowShape {
    let cells = columns.map { column -> (index: Int, content: RowShape.Content) in
      switch column.source {
      case .value(let index, let type):
        (index, .init(type, isExternal: column.allowsExternalStorage))
      case .objectID(let key, .fixed(let entity)):
        (key, .objectID(.fixed(Self.prefix(entity, in: store))))
      case .objectID(let key, .number(let cell)):
        (key, .objectID(.byEntity(cell: cell, prefixesByNumber)))
      case .objectIDs(let index): (index, .objectIDs(prefixesByNumber))
      }
    }
    return RowShape(
      columns: zip(columns, cells).map { .init(name: $0.name, content: $1.content) },
      cells: cells.map(\.index), width: width,
      largeValues: StoredValueReader(folder: externalFolder))
  }

  private static func prefix(_ entity: String, in store: String?) -> [UInt8] {
    Array("x-coredata://\(store ?? "")/\(entity)/p".utf8)
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
