import StoreDiagnostics
import SQLiteAccess

/// A value as a table for people shows it.
struct TableCell {
  /// Without control characters.
  let text: String
  /// On a terminal.
  let width: Int
  let isNull: Bool

  init(_ text: String, isNull: Bool = false) {
    self.text = text
    self.isNull = isNull
    width = DisplayWidth.of(text)
  }

  /// What stands for a value that is none.
  static let null = "NULL"

  /// Padded to its column; cut where it must be.
  func padded(to columnWidth: Int, isRight: Bool, isCut: Bool, isColored: Bool) -> String {
    guard width <= columnWidth || !isCut else {
      return TableCell(DisplayWidth.cut(text, to: columnWidth))
        .padded(to: columnWidth, isRight: isRight, isCut: false, isColored: isColored)
    }
    let blank = String(repeating: " ", count: max(0, columnWidth - width))
    let shown = isNull && isColored ? "\u{1B}[2m\(text)\u{1B}[0m" : text
    return isRight ? blank + shown : shown + blank
  }
}

/// Makes cells of a packed row's values.
struct TableCellReader {
  let shape: RowShape
  /// NULL is told from the empty text.
  var showsNull = false
  /// Object IDs are shown without their store.
  var shortensIDs = false
  private var scratch = ScratchBuffer()

  init(_ shape: RowShape) {
    self.shape = shape
  }

  /// - Parameter escaped: keeps the text in its place.
  func cell(
    _ column: Int, of row: UnsafePointer<PackedRows.Cell>, in rows: PackedRows,
    escaped: (String) -> String
  ) throws -> TableCell {
    let content = shape.columns[column].content
    var isNull = false
    var text = try scratch.text { out in
      let form = try out.append(
        row[shape.cells[column]], as: content, of: row, in: rows, largeValues: shape.largeValues)
      switch form {
      case .literal, .plain: break
      case .null: isNull = true
      case .text(let text): out.append(validated: text)
      case .special(let name): out.append(name)
      case .list(let list): list.write(into: &out, between: " ")
      }
    }
    if isNull { return TableCell(showsNull ? TableCell.null : "", isNull: true) }
    if shortensIDs, content.isObjectID { text = ObjectIDText.short(text) }
    if showsNull, text.isNullInQuotes { text = "\"\(text)\"" }
    return TableCell(escaped(text))
  }
}

/// Object IDs without what all of one store begin with: `Item/p7`.
package enum ObjectIDText {
  /// - Parameter ids: one, or several with blanks or commas between.
  package static func short(_ ids: String) -> String {
    ids.split(separator: " ", omittingEmptySubsequences: false).map(shortWord)
      .joined(separator: " ")
  }

  private static func shortWord(_ id: Substring) -> Substring {
    guard id.hasPrefix(scheme), let slash = id.dropFirst(scheme.count).firstIndex(of: "/") else {
      return id
    }
    return id[id.index(after: slash)...]
  }

  package static let scheme = "x-coredata://"
}

extension RowShape.Content {
  fileprivate var isObjectID: Bool {
    switch self {
    case .objectID, .objectIDs: true
    case .integer, .boolean, .double, .float, .decimal, .text, .date, .uuid, .data, .externalData:
      false
    }
  }
}

extension String {
  /// `NULL`, `"NULL"` and so on: texts that would be taken for no value, or for each other.
  fileprivate var isNullInQuotes: Bool {
    guard utf8.count >= TableCell.null.utf8.count, hasSuffix("NULL") || hasSuffix("\"") else {
      return false
    }
    var rest = self[...]
    while rest.hasPrefix("\""), rest.hasSuffix("\""), rest.utf8.count > 1 {
      rest = rest.dropFirst().dropLast()
    }
    return rest == TableCell.null
  }
}

/// A byte buffer that a copyable value can keep.
private final class ScratchBuffer {
  private var buffer = ByteBuffer(capacity: 256)

  func text(_ fill: (inout ByteBuffer) throws -> Void) rethrows -> String {
    buffer.removeAll()
    try fill(&buffer)
    return buffer.text
  }
}
