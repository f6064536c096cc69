import Synchronization

/// How rows are shown beyond the rules of their format. Without anything else it is how a file or a
/// pipe gets them: whole.
package struct RowStyle: Sendable {
  /// Tables and delimited text begin with the columns' names.
  package var hasHeader = true
  /// A table says NULL where there is no value, and shows the text NULL in quotes.
  package var showsNull = false
  /// What is no value is dim.
  package var isColored = false
  /// The terminal that a table has to fit; nil writes it as wide as it is.
  package var fit: TableFit?

  package init() {}
}

/// A terminal that tables have to fit: long values are cut, object IDs lose what all of them begin
/// with, and columns that find no place are left out.
package struct TableFit: Sendable {
  /// In cells.
  package let width: Int
  package let leftOut = LeftOutColumns()

  package init(width: Int) {
    self.width = width
  }
}

/// The columns that a table had no room for, for whoever tells of them.
package final class LeftOutColumns: Sendable {
  private let list = Mutex<[String]>([])

  package var names: [String] { list.withLock { $0 } }

  func add(_ names: some Sequence<String>) {
    list.withLock { list in list += names.filter { !list.contains($0) } }
  }
}
