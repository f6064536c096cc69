package import StoreModel

/// What the cells of a packed row mean: the query's columns, made ready for a loop over a million
/// rows.
package struct RowShape: Sendable {
  package let columns: [Column]

  package struct Column: Sendable {
    package var name: String
    package var content: Content

    package init(name: String, content: Content) {
      self.name = name
      self.content = content
    }
  }

  /// How the cell of a column is to be written.
  package enum Content: Hashable, Sendable {
    case integer
    case boolean
    case double
    case float
    case decimal
    case text
    case date
    case uuid
    case data
    /// Data with the leading byte that says whether it lies in the row or in a file of its own.
    case externalData
    case objectID(Prefixes)
    /// A list of them as `Z_ENT:Z_PK`, with commas between; the prefixes by `Z_ENT`.
    case objectIDs([Int64: [UInt8]])

    /// Numbers stand on the right in a table.
    package var isNumeric: Bool {
      switch self {
      case .integer, .double, .float, .decimal: true
      case .boolean, .text, .date, .uuid, .data, .externalData, .objectID, .objectIDs: false
      }
    }
  }

  /// What an object ID begins with: `x-coredata://UUID/Item/p`.
  package enum Prefixes: Hashable, Sendable {
    case fixed([UInt8])
    /// By `Z_ENT`, which stands in the cell with this index.
    case byEntity(cell: Int, [Int64: [UInt8]])
  }

  /// The cell of each column in a packed row.
  package let cells: [Int]
  /// The cells of a row: the columns of the SELECT.
  package let width: Int
  /// Reads values that may lie in files of their own; nil where no column has any.
  package let largeValues: (any LargeValueReader)?

  package init(
    columns: [Column], cells: [Int], width: Int, largeValues: (any LargeValueReader)?
  ) {
    self.columns = columns
    self.cells = cells
    self.width = width
    self.largeValues = largeValues
  }

  /// For rows that no query gives: each column is the cell of the same index.
  package init(columns: [Column]) {
    self.init(
      columns: columns, cells: Array(columns.indices), width: columns.count, largeValues: nil)
  }
}

extension RowShape.Content {
  package init(_ type: AttributeType, isExternal: Bool = false) {
    self =
      switch type {
      case .integer16, .integer32, .integer64: .integer
      case .boolean: .boolean
      case .double: .double
      case .float: .float
      case .decimal: .decimal
      case .date: .date
      case .uuid: .uuid
      case .binary, .transformable: isExternal ? .externalData : .data
      // A value of no known type is written by what it is stored as.
      case .string, .uri, .undefined, .objectID, .composite: .text
      }
  }
}

/// Finds the bytes of values that may lie in files of their own. A class: formatters pass it on for each cell, and
/// another module's value behind a protocol would be copied each time.
package protocol LargeValueReader: AnyObject, Sendable {
  /// Calls `use` with the bytes of a value; not at all where its file is missing and that is not an error.
  ///
  /// - Parameter stored: what the column holds: the bytes, or what names their file.
  /// - Throws: what keeps the value from being read.
  func read(
    _ stored: UnsafeBufferPointer<UInt8>, _ use: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws

  /// Counts a text value whose bytes aren't UTF-8.
  func noteInvalidText()
}
