import ArgumentParser
import PredicateSQL
import RecordFormats
import SQLiteAccess
import StoreCore
import StoreEngine
import StoreLayout
import StoreModel
import StorePredicate

/// `storetool page-rows`, for the page of `browse`: prints the rows that a table on the page shows.
struct PageRowsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page-rows", _superCommandName: Storetool.name,
    abstract: "Print rows for the page of 'browse'.", shouldDisplay: false)

  @OptionGroup var request: PageRequest
  /// The primary keys of the rows to print, in the order of the output, separated by commas.
  @Option(parsing: .unconditional) var keys: String?

  /// The maximum number of keys, so that the statement doesn't become too long. It is also the default for `--limit`.
  private static let mostKeys = 1000

  func validate() throws {
    guard let keys else { return }
    let words = keys.split(separator: ",")
    if words.count > Self.mostKeys || words.contains(where: { Int64($0) == nil }) {
      throw ValidationError("--keys accepts up to \(Self.mostKeys) primary keys")
    }
  }

  func run() throws {
    let (store, prepared) = try request.prepared()
    let unread = UnreadValues()
    let rows = try KeyedRows(
      prepared.request, texts: prepared.texts, in: store.context(counting: unread))
    var out = ByteBuffer()
    let writer = PageRowWriter(shape: rows.shape, store: store)
    appendHead(rows, store, prepared.request.entity, to: &out)
    // The columns are sent immediately, because the search for the first row may take long.
    try OutputFile.standard.write(out.bytes)
    out.removeAll()
    try store.store.read { connection in
      guard let keys else {
        return try rows.page(
          limit: prepared.request.limit ?? Self.mostKeys, offset: 0, on: connection
        ) { row in
          try writer.append(row, to: &out)
          try flush(&out)
        }
      }
      let wanted = keys.split(separator: ",").compactMap { Int64($0) }
      var lines: [Int64: [UInt8]] = [:]
      try rows.rows(withKeys: wanted, on: connection) { row in
        var line = ByteBuffer(capacity: 1024)
        lines[try writer.append(row, to: &line)] = Array(line.bytes)
      }
      for key in wanted { if let line = lines[key] { out.append(line) } }
    }
    try OutputFile.standard.write(out.bytes)
    Terminal.report(unread.warnings(beside: store.store))
  }

  private func flush(_ out: inout ByteBuffer) throws {
    guard out.count >= 1 << 16 else { return }
    try OutputFile.standard.write(out.bytes)
    out.removeAll()
  }

  /// Appends the entity and the columns, such as
  /// `{"entity":"Item","columns":[{"name":"in","path":"#in","type":"String"},…]}`.
  private func appendHead(
    _ rows: KeyedRows, _ store: OpenStore, _ entity: String, to out: inout ByteBuffer
  ) {
    let owner = store.model.entity(named: entity)
    let relationships = owner.map { store.model.relationships(of: $0) } ?? []
    let attributes = owner.map { store.model.storedAttributes(of: $0) } ?? []
    let names = Set(attributes.map(\.name) + relationships.map(\.name))
    let columns = rows.columns.map { column in
      // The name of a selected expression isn't escaped again, because the key paths in it are already escaped.
      let path = names.contains(column.name) ? PropertyPath.text(of: column.name) : column.name
      switch column.source {
      case .value(_, let type):
        return Column(name: column.name, path: path, type: type.description)
      case .objectID, .objectIDs:
        let destination = relationships.first { $0.name == column.name }?.destination
        return Column(name: column.name, path: path, destination: destination ?? "")
      }
    }
    out.append(line: Head(entity: entity, columns: columns))
  }

  private struct Head: Encodable {
    let entity: String
    let columns: [Column]
  }

  private struct Column: Encodable {
    let name, path: String
    @OmittedIfNil var type: String? = nil
    @OmittedIfNil var destination: String? = nil
  }
}

/// Writes rows as the page shows them. Long values are shortened to fit a table.
struct PageRowWriter {
  let shape: RowShape
  let store: OpenStore

  /// Texts of more than four times this number of bytes are shortened to this number of characters.
  private static let longestText = 200

  /// - Returns: The row's primary key.
  /// - Throws: `ExternalValueMissing` if the file of a value can't be read, and the context of the rows doesn't count
  ///   such values.
  @discardableResult
  func append(_ rows: PackedRows, to out: inout ByteBuffer) throws -> Int64 {
    let row = UnsafePointer(rows.cells(ofRow: 0))
    let key = row[shape.width - 2].integer
    let entity = store.layout.entity(numbered: row[shape.width - 1].integer)?.name
    out.append("{\"key\":")
    out.append(decimal: key)
    out.append(",\"id\":")
    out.append(
      json: ObjectID(store: store.store.metadata.uuid, entity: entity ?? "", primaryKey: key).uri)
    out.append(",\"cells\":[")
    for column in shape.columns.indices {
      if column > 0 { out.append(",") }
      try append(column, of: row, in: rows, to: &out)
    }
    out.append("]}\n")
    return key
  }

  private func append(
    _ column: Int, of row: UnsafePointer<PackedRows.Cell>, in rows: PackedRows,
    to out: inout ByteBuffer
  ) throws {
    let cell = row[shape.cells[column]]
    let content = shape.columns[column].content
    switch (cell.kind, content) {
    case (.text, _) where Int(cell.length) > Self.longestText * 4:
      append(start: rows.bytes(of: cell), to: &out)
    case (.blob, .externalData):
      var isRead = false
      try shape.largeValues?.read(rows.bytes(of: cell)) {
        append(data: $0, to: &out)
        isRead = true
      }
      if !isRead { out.append("{\"missing\":true}") }
    case (.blob, .data):
      append(data: rows.bytes(of: cell), to: &out)
    // JavaScript would round the number.
    case (.integer, .integer) where cell.integer.magnitude > 1 << 53:
      out.append(json: "\(cell.integer)")
    default:
      try out.append(jsonOf: column, of: row, in: rows, shape)
    }
  }

  private func append(start bytes: UnsafeBufferPointer<UInt8>, to out: inout ByteBuffer) {
    // The text ends before an incomplete UTF-8 sequence. Its last character is dropped, because it may be incomplete
    // too.
    var end = Self.longestText * 4
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    let start = String(decoding: bytes[..<end], as: UTF8.self).dropLast()
    out.append("{\"text\":")
    out.append(json: String(start.prefix(Self.longestText)))
    out.append(",\"length\":")
    out.append(decimal: Int64(String(decoding: bytes, as: UTF8.self).count))
    out.append("}")
  }

  private func append(data bytes: UnsafeBufferPointer<UInt8>, to out: inout ByteBuffer) {
    out.append("{\"bytes\":")
    out.append(decimal: Int64(bytes.count))
    out.append(",\"kind\":")
    out.append(json: DataKind(of: bytes).rawValue)
    out.append("}")
  }
}
