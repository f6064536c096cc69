package import RecordFormats
import StorePredicate

/// Writes the changes of a list as NDJSON. Each change is a record. After the changes that lead to a new state of the
/// list, another record contains the new size of the list.
package struct ChangeRecords {
  private let rows: LiveRows
  private let shape: RowShape

  package init(_ rows: LiveRows) {
    self.rows = rows
    shape = rows.shape
  }

  /// - Parameter old: the previous list. Nil writes all rows as inserted.
  /// - Throws: `OutputClosed`, `OutputError`, `DatabaseError`, `Cancelled`.
  package func write(since old: ResultList?, to sink: some ByteSink) throws {
    let list = rows.list
    let difference =
      old.map { list.difference(from: $0) } ?? ResultDifference(from: rows.none, to: list.rows)
    guard old == nil || !difference.isEmpty else { return }
    var out = ByteBuffer()
    if let old { appendLeaving(difference, of: old, into: &out) }
    for section in difference.insertedSections {
      append("insert-section", section, of: list, into: &out)
    }
    let coming =
      difference.insertions.map { Coming(change: "insert", to: $0) }
      + difference.moves.map {
        Coming(change: "move", from: $0.from, to: $0.to, isUpdated: $0.isUpdated)
      } + difference.updates.map { Coming(change: "update", from: $0.from, to: $0.to) }
    for start in stride(from: 0, to: coming.count, by: Self.pageSize) {
      let page = coming[start..<min(start + Self.pageSize, coming.count)]
      try append(page, of: list, into: &out)
      try sink.write(out.bytes)
      out.removeAll()
    }
    out.append("{\"change\":\"list\",\"rows\":")
    out.append(decimal: Int64(list.count))
    out.append(",\"sections\":")
    out.append(decimal: Int64(list.sections.count))
    out.append("}\n")
    try sink.write(out.bytes)
  }

  private static let pageSize = 500

  private struct Coming {
    var change: StaticString
    var from: ResultIndexPath?
    var to: ResultIndexPath
    var isUpdated = false
  }

  private func appendLeaving(
    _ difference: ResultDifference, of old: ResultList, into out: inout ByteBuffer
  ) {
    for section in difference.deletedSections {
      append("delete-section", section, of: old, into: &out)
    }
    for path in difference.deletions {
      out.append("{\"change\":\"delete\"")
      append("from", path, into: &out)
      append(old[path], into: &out)
      out.append("}\n")
    }
  }

  private func append(
    _ page: ArraySlice<Coming>, of list: ResultList, into out: inout ByteBuffer
  ) throws {
    let ids = page.map { list[$0.to] }
    var texts: [Int64: [UInt8]] = [:]
    var writer = JSONRows(shape, layout: .lines)
    var text = ByteBuffer(capacity: 1 << 12)
    try rows.readRows(withKeys: ids.map(\.primaryKey)) { row, key in
      text.removeAll()
      try writer.append(row, into: &text)
      texts[key] = Array(text.bytes.dropLast())
    }
    for (coming, id) in zip(page, ids) {
      out.append("{\"change\":\"")
      out.append(coming.change)
      out.append("\"")
      if let from = coming.from { append("from", from, into: &out) }
      append("to", coming.to, into: &out)
      if coming.isUpdated { out.append(",\"updated\":true") }
      append(id, into: &out)
      out.append(",\"row\":")
      // If the values are missing, the row was deleted after the list was read. Its deletion is reported with the
      // next state of the list.
      if let text = texts[id.primaryKey] { out.append(text) } else { out.append("null") }
      out.append("}\n")
    }
  }

  private func append(
    _ change: StaticString, _ section: Int, of list: ResultList, into out: inout ByteBuffer
  ) {
    out.append("{\"change\":\"")
    out.append(change)
    out.append("\",\"section\":")
    out.append(decimal: Int64(section))
    out.append(",\"name\":")
    out.append(json: list.sections[section].name)
    out.append("}\n")
  }

  private func append(_ name: StaticString, _ path: ResultIndexPath, into out: inout ByteBuffer) {
    out.append(",\"")
    out.append(name)
    out.append("\":[")
    out.append(decimal: Int64(path.section))
    out.append(",")
    out.append(decimal: Int64(path.row))
    out.append("]")
  }

  private func append(_ id: ObjectID, into out: inout ByteBuffer) {
    out.append(",\"objectID\":")
    out.append(json: id.uri)
  }
}
