import RecordFormats
import SQLiteAccess
import StoreSQL

extension SQLScript {
  /// `[["UPDATE … = ?1", "text"], …]`: the body that rqlite takes, and what D1's and libSQL's clients make statements of.
  ///
  /// Only texts are parameters. A number would reach some engines as a double, and JSON has no bytes.
  package var json: String {
    var buffer = ByteBuffer()
    buffer.append("[")
    for (index, statement) in statements.enumerated() {
      buffer.append(index == 0 ? "\n" : ",\n")
      Self.append(
        statement.sql, limit: dialect.facts.restrictions.limits.parameters ?? 32_766, to: &buffer)
    }
    buffer.append("\n]\n")
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  private static func append(_ sql: SQL, limit: Int, to buffer: inout ByteBuffer) {
    var values: [String] = []
    let takesValues = !sql.isDefinition
    let text = sql.segments.map { segment -> String in
      guard case .value(.text(let value)) = segment, takesValues, values.count < limit,
        !value.unicodeScalars.contains("\0")
      else { return SQL(segments: [segment]).literalText }
      values.append(value)
      return "?\(values.count)"
    }.joined()
    buffer.append("[")
    for (index, item) in ([text] + values).enumerated() {
      var item = item
      if index > 0 { buffer.append(", ") }
      item.withUTF8 { buffer.append(jsonString: $0) }
    }
    buffer.append("]")
  }
}

extension SQL {
  /// SQLite takes no parameters there.
  fileprivate var isDefinition: Bool {
    tokens.first { $0.kind != .blank }?.isWord("CREATE") == true
  }
}
