import PredicateSQL
import RecordFormats
import SQLiteAccess
import StoreModel
import StoreCore

/// Makes the names of sections: a value as a table shows it, NULL as the empty text.
struct SectionNaming: Sendable {
  private let shape: RowShape

  /// Nil for a request without sections.
  init?(_ query: ResultQuery, context: RowContext) {
    guard let heading = query.heading else { return nil }
    shape = context.shape(
      of: CompiledQuery(sql: "", columns: heading.columns), width: heading.values.count)
  }

  /// - Parameter first: the column of what tells sections apart; what the name is made of follows.
  /// - Throws: `ExternalValueMissing`
  func heading(of statement: borrowing Statement, at first: Int32) throws -> Heading {
    let row = PackedRows(width: shape.width)
    for index in 0..<shape.width {
      let value = statement.value(at: first + 1 + Int32(index))
      row.nextCells[index] = row.cell(of: value)
    }
    row.commitRow()
    return Heading(value: statement.value(at: first).normalised, name: try name(of: row))
  }

  private func name(of row: PackedRows) throws -> String {
    let cells = UnsafePointer(row.cells(ofRow: 0))
    var text = ByteBuffer(capacity: 64)
    let form = try text.append(
      cells[shape.cells[0]], as: shape.columns[0].content, of: cells, in: row,
      largeValues: shape.largeValues)
    switch form {
    case .plain, .literal: return String(decoding: text.bytes, as: UTF8.self)
    case .text(let bytes): return String(decoding: bytes, as: UTF8.self)
    case .special(let name): return name.description
    case .list, .null: return ""
    }
  }
}
