import StoreDiagnostics
import SQLiteAccess

/// A value in a table for people.
struct TableCell {
  /// The text without control characters.
  let text: String
  /// The width on a terminal.
  let width: Int
  let isNull: Bool

  init(_ text: String, isNull: Bool = false) {
    self.text = text
    self.isNull = isNull
    width = DisplayWidth.of(text)
  }

  static let null = "NULL"

  /// Returns the text, padded to the width of its column and cut if required.
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

/// Creates table cells from the values of packed rows.
struct TableCellReader {
  let shape: RowShape
  /// Whether NULL and empty text are shown differently.
  var showsNull = false
  /// Whether object IDs are shown without their store.
  var shortensIDs = false
  private var scratch = ScratchBuffer()

  init(_ shape: RowShape) {
    self.shape = shape
  }

  /// Creates the cell of a column.
  ///
  /// - Parameter escaped: escapes characters that would break the layout.
  func cell(
    _ column: Int, of row: UnsafePointer<PackedRows.Cell>, in rows: PackedRows,
    escaped: (String) -> String
  ) throws -> TableCell {
    var isNull = false
    var text = try scratch.text { out in
      isNull = try !out.append(textOf: column, of: row, in: rows, shape)
    }
    if isNull { return TableCell(showsNull ? TableCell.null : "", isNull: true) }
    if shortensIDs, shape.columns[column].content.isObjectID { text = ObjectIDText.short(text) }
    if showsNull, text.isNullInQuotes { text = "\"\(text)\"" }
    return TableCell(escaped(text))
  }
}

/// Object IDs without the prefix that all IDs of a store share: `Item/p7`.
package enum ObjectIDText {
  /// - Parameter ids: one or more IDs, separated by spaces.
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
  /// Whether the text is `NULL` without quotes or in one or more pairs of quotes. Without another pair, it could be
  /// mistaken for a missing value or for such a text.
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

/// A byte buffer in a class, because copyable values can't contain a `ByteBuffer`.
private final class ScratchBuffer {
  private var buffer = ByteBuffer(capacity: 256)

  func text(_ fill: (inout ByteBuffer) throws -> Void) rethrows -> String {
    buffer.removeAll()
    try fill(&buffer)
    return buffer.text
  }
}
