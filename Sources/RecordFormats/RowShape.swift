package import StoreModel

/// The meaning of the cells of a packed row: the columns of the query, prepared for a loop over many rows.
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

  /// The type of a column's cell.
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
    /// Data with a leading byte that specifies whether the value is in the row or in an external file.
    case externalData
    case objectID(Prefixes)
    /// A list of object IDs as `Z_ENT:Z_PK`, separated by commas, with the prefixes by `Z_ENT`.
    case objectIDs([Int64: [UInt8]])

    /// Whether the column contains numbers, which a table aligns to the right.
    package var isNumeric: Bool {
      switch self {
      case .integer, .double, .float, .decimal: true
      case .boolean, .text, .date, .uuid, .data, .externalData, .objectID, .objectIDs: false
      }
    }
  }

  /// The prefix of an object ID: `x-coredata://UUID/Item/p`.
  package enum Prefixes: Hashable, Sendable {
    case fixed([UInt8])
    /// The prefixes by `Z_ENT`, which is in the cell with this index.
    case byEntity(cell: Int, [Int64: [UInt8]])
  }

  /// The index of each column's cell in a packed row.
  package let cells: [Int]
  /// The number of cells in a row, which is the number of columns in the SELECT.
  package let width: Int
  /// The reader of values that can be in external files, or nil if no column has any.
  package let largeValues: (any LargeValueReader)?

  package init(
    columns: [Column], cells: [Int], width: Int, largeValues: (any LargeValueReader)?
  ) {
    self.columns = columns
    self.cells = cells
    self.width = width
    self.largeValues = largeValues
  }

  /// Creates the shape of rows without a query. The index of each column is the index of its cell.
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
      // A value without a known type is written according to its storage class.
      case .string, .uri, .undefined, .objectID, .composite: .text
      }
  }
}

/// A reader of values that can be in external files. It is a class because formatters pass it to each cell, and a
/// protocol value of another module would be copied each time.
package protocol LargeValueReader: AnyObject, Sendable {
  /// Calls `use` with the bytes of a value. Doesn't call it if the file is missing and that isn't an error.
  ///
  /// - Parameter stored: the content of the column: the bytes, or the name of the file.
  /// - Throws: an error if the value can't be read.
  func read(
    _ stored: UnsafeBufferPointer<UInt8>, _ use: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws

  /// Counts a text value whose bytes aren't UTF-8.
  func noteInvalidText()
}
