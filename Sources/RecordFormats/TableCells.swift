import SQLiteAccess
import StoreDiagnostics

/// Rows of cells in a table for people: their escaped text and its width on a terminal.
///
/// The text of all cells is in one buffer, so that a cell doesn't allocate memory. This type is a class, because
/// copyable values can't contain a `ByteBuffer`.
final class TableCells {
  private struct Cell {
    let start: Int
    let end: Int
    /// The width on a terminal.
    let width: Int
    let isNull: Bool
  }

  private let shape: RowShape
  private let style: TableRows.Style
  /// Whether NULL and empty text are shown differently.
  private let showsNull: Bool
  /// Whether missing values are dimmed.
  private let isColored: Bool
  /// Whether object IDs are shown without their store.
  private let shortensIDs: Bool
  private var buffer = ByteBuffer()
  private var cells: [Cell] = []
  private(set) var rowCount = 0

  init(_ shape: RowShape, style: TableRows.Style, shown: RowStyle, shortensIDs: Bool = false) {
    self.shape = shape
    self.style = style
    showsNull = shown.showsNull
    isColored = shown.isColored && style == .plain
    self.shortensIDs = shortensIDs
  }

  func removeAll() {
    buffer.removeAll()
    cells.removeAll(keepingCapacity: true)
    rowCount = 0
  }

  // MARK: Adding rows

  func append(_ row: UnsafePointer<PackedRows.Cell>, in rows: PackedRows) throws {
    for column in shape.columns.indices {
      let start = buffer.count
      let hasValue = try buffer.append(textOf: column, of: row, in: rows, shape)
      if hasValue {
        if shortensIDs, shape.columns[column].content.isObjectID {
          replaceText(from: start, with: ObjectIDText.short(text(from: start)))
        }
        if showsNull, Self.isNullInQuotes(bytes(from: start)) {
          replaceText(from: start, with: "\"\(text(from: start))\"")
        }
      } else if showsNull {
        buffer.append(Self.null)
      }
      appendCell(from: start, isNull: !hasValue)
    }
    rowCount += 1
  }

  /// Appends a row of names.
  func append(_ texts: [String]) {
    for text in texts {
      let start = buffer.count
      buffer.append(text)
      appendCell(from: start, isNull: false)
    }
    rowCount += 1
  }

  /// Appends the cell whose text begins at `start` and ends at the end of the buffer.
  private func appendCell(from start: Int, isNull: Bool) {
    var width = buffer.count - start
    if !Self.isPlain(bytes(from: start)) {
      let escaped = style.escaped(text(from: start))
      replaceText(from: start, with: escaped)
      width = DisplayWidth.of(escaped)
    }
    cells.append(Cell(start: start, end: buffer.count, width: width, isNull: isNull))
  }

  private func bytes(from start: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: buffer.bytes[start...])
  }

  private func text(from start: Int) -> String {
    String(decoding: bytes(from: start), as: UTF8.self)
  }

  private func replaceText(from start: Int, with text: String) {
    buffer.truncate(to: start)
    buffer.append(text)
  }

  /// Returns whether no style escapes any of the characters, and each byte is a character of width 1.
  private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.allSatisfy { $0 &- 0x20 < 0x5F && $0 != UInt8(ascii: "|") }
  }

  private static let null: StaticString = "NULL"

  /// Returns whether the text is `NULL` without quotes or in one or more pairs of quotes. Without another pair, it
  /// could be mistaken for a missing value or for such a text.
  private static func isNullInQuotes(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let quote = UInt8(ascii: "\"")
    var rest = text[...]
    while rest.count > 1, rest.first == quote, rest.last == quote {
      rest = rest.dropFirst().dropLast()
    }
    return rest.elementsEqual(
      UnsafeBufferPointer(start: null.utf8Start, count: null.utf8CodeUnitCount))
  }

  // MARK: Reading cells

  private func cell(_ column: Int, ofRow row: Int) -> Cell {
    cells[row * shape.columns.count + column]
  }

  func isEmpty(_ column: Int, ofRow row: Int) -> Bool {
    let cell = cell(column, ofRow: row)
    return cell.start == cell.end
  }

  func isNull(_ column: Int, ofRow row: Int) -> Bool { cell(column, ofRow: row).isNull }

  func text(_ column: Int, ofRow row: Int) -> String { text(of: cell(column, ofRow: row)) }

  /// Returns the width of the widest cell of a column.
  func width(ofColumn column: Int) -> Int {
    (0..<rowCount).reduce(0) { max($0, cell(column, ofRow: $1).width) }
  }

  /// Appends the text of a cell to `out`, padded to the width of its column and cut if required.
  func write(
    _ column: Int, ofRow row: Int, to columnWidth: Int = 0, isRight: Bool = false,
    isCut: Bool = false, into out: inout ByteBuffer
  ) {
    let cell = cell(column, ofRow: row)
    let cut =
      isCut && cell.width > columnWidth ? DisplayWidth.cut(text(of: cell), to: columnWidth) : nil
    let blanks = columnWidth - (cut.map { DisplayWidth.of($0) } ?? cell.width)
    let isDim = cell.isNull && isColored && cell.start < cell.end
    if isRight { out.append(UInt8(ascii: " "), count: blanks) }
    if isDim { out.append("\u{1B}[2m") }
    if let cut { out.append(cut) } else { out.append(bytes(of: cell)) }
    if isDim { out.append("\u{1B}[0m") }
    if !isRight { out.append(UInt8(ascii: " "), count: blanks) }
  }

  private func bytes(of cell: Cell) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: buffer.bytes[cell.start..<cell.end])
  }

  private func text(of cell: Cell) -> String { String(decoding: bytes(of: cell), as: UTF8.self) }
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
