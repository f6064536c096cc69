package import StoreModel

/// The columns of a query, and the cells of a packed row that contain their values.
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

  /// The type by which the cells of a column are written.
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
    /// Data with a leading byte that specifies whether it is in the row or in a separate file.
    case externalData
    case objectID(Prefixes)
    /// A list of object IDs as `Z_ENT:Z_PK`, separated by commas. The associated value contains the beginnings of the
    /// IDs by `Z_ENT`.
    case objectIDs([Int64: [UInt8]])
  }

  /// The beginnings of object IDs: `x-coredata://UUID/Item/p`.
  package enum Prefixes: Hashable, Sendable {
    case fixed([UInt8])
    /// The beginnings by `Z_ENT`. The cell with the index `cell` contains the `Z_ENT` of a row.
    case byEntity(cell: Int, [Int64: [UInt8]])
  }

  /// The index of the cell for each column in a packed row.
  package let cells: [Int]
  /// The number of cells in a row, which is the number of columns in the SELECT.
  package let width: Int
  /// Reads values that can be in separate files; nil if no column has such values.
  package let largeValues: (any LargeValueReader)?

  package init(
    columns: [Column], cells: [Int], width: Int, largeValues: (any LargeValueReader)?
  ) {
    self.columns = columns
    self.cells = cells
    self.width = width
    self.largeValues = largeValues
  }

  /// Creates a shape for rows that don't come from a query. The cell of a column has the same index as the column.
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
      // A value without a known type is written by its storage class.
      case .string, .uri, .undefined, .objectID, .composite: .text
      }
  }
}

/// Reads values that can be in separate files. It must be a class, because formatters pass it on for each cell, and an
/// existential with a struct of another module would be copied each time.
package protocol LargeValueReader: AnyObject, Sendable {
  /// Calls `use` with the bytes of a value. If its file is missing and this isn't an error, `use` isn't called.
  ///
  /// - Parameter stored: the column's value: the bytes, or the name of their file.
  /// - Throws: an error if the value can't be read.
  func read(
    _ stored: UnsafeBufferPointer<UInt8>, _ use: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws

  /// Counts a text value whose bytes aren't UTF-8.
  func noteInvalidText()
}
