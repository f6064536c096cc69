public import SQLiteAccess
import StoreCore
import StoreLayout
public import StoreModel
public import StorePredicate

/// Reads a batch of rows, value by value.
///
/// It is inlinable, so that the loop over the rows is compiled where their type is known. Otherwise reading a million
/// rows takes three times as long.
@usableFromInline
struct PackedRowReader: RowReader {
  @usableFromInline let rows: PackedRows
  @usableFromInline let plan: ReadingPlan
  @usableFromInline let count: Int
  @usableFromInline let width: Int
  /// The index of the current row, and the index of the next cell to read.
  @usableFromInline var row = -1
  @usableFromInline var cell = 0
  @usableFromInline var cells: UnsafeMutablePointer<PackedRows.Cell>
  /// The number of rows in previous batches, for messages.
  let rowsBefore: Int

  init(_ rows: PackedRows, by plan: ReadingPlan, rowsBefore: Int) {
    self.rows = rows
    self.plan = plan
    self.rowsBefore = rowsBefore
    count = rows.count
    width = rows.width
    cells = rows.cells(ofRow: 0)
  }

  /// - Returns: false after the last row.
  @inlinable
  mutating func nextRow() -> Bool {
    guard row + 1 < count else { return false }
    row += 1
    cell = 0
    cells = rows.cells(ofRow: row)
    return true
  }

  /// - Throws: an error if a type reads more values than it has selected.
  @inlinable
  mutating func next() throws -> PackedRows.Cell {
    guard cell < width else { throw mismatch(.unreadable(type: "further value of the row")) }
    defer { cell += 1 }
    return cells[cell]
  }

  @inlinable
  mutating func readInteger() throws -> Int64? {
    let cell = try next()
    switch cell.kind {
    case .integer: return cell.integer
    case .null: return nil
    case .real, .text, .blob: return try wholeNumber(cell)
    }
  }

  @usableFromInline
  func wholeNumber(_ cell: PackedRows.Cell) throws -> Int64 {
    guard cell.kind == .real, let number = Int64(exactly: cell.real) else {
      throw mismatch(.unreadable(type: "whole number"))
    }
    return number
  }

  @inlinable
  mutating func readReal() throws -> Double? {
    let cell = try next()
    switch cell.kind {
    case .real: return cell.real
    case .integer: return Double(cell.integer)
    case .null: return nil
    case .text, .blob: throw mismatch(.unreadable(type: "number"))
    }
  }

  @inlinable
  mutating func readNumber() throws -> DataValue? {
    let cell = try next()
    switch cell.kind {
    case .real: return .double(cell.real)
    case .integer: return .integer(cell.integer)
    case .null: return nil
    case .text, .blob: throw mismatch(.unreadable(type: "number"))
    }
  }

  @inlinable
  mutating func readText() throws -> String? {
    let cell = try next()
    switch cell.kind {
    case .text: return String(decoding: rows.bytes(of: cell), as: UTF8.self)
    case .null: return nil
    case .integer, .real, .blob: throw mismatch(.unreadable(type: "text"))
    }
  }

  @inlinable
  mutating func readBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result? {
    let cell = try next()
    switch cell.kind {
    case .null: return nil
    case .integer, .real, .text: throw mismatch(.unreadable(type: "data"))
    case .blob:
      let bytes = rows.bytes(of: cell)
      guard case .externalValue = plan.contents[self.cell - 1] else {
        return try body(UnsafeRawBufferPointer(bytes))
      }
      return try withExternalValue(bytes, body)
    }
  }

  @usableFromInline
  func withExternalValue<Result>(
    _ stored: UnsafeBufferPointer<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result? {
    switch ExternalValue(stored: stored) {
    case .inline(let bytes): try body(UnsafeRawBufferPointer(bytes))
    case .file(let name): try plan.externalFolder.read(name)?.withUnsafeBytes(body)
    }
  }

  @inlinable
  mutating func readObjectID() throws -> ObjectID? {
    let key = try next()
    switch plan.contents[cell - 1] {
    case .objectID(let entity):
      guard key.kind == .integer else { return try noKey(key) }
      return ObjectID(store: plan.storeUUID, entity: entity, primaryKey: key.integer)
    case .objectIDOfAny:
      let number = try next()
      guard key.kind == .integer else { return try noKey(key) }
      return ObjectID(
        store: plan.storeUUID, entity: try entityName(number), primaryKey: key.integer)
    case .value, .externalValue, .entityNumber:
      throw mismatch(.unreadable(type: "object ID"))
    }
  }

  @usableFromInline
  func noKey(_ key: PackedRows.Cell) throws -> ObjectID? {
    guard key.kind == .null else { throw mismatch(.unreadable(type: "object ID")) }
    return nil
  }

  @usableFromInline
  func entityName(_ number: PackedRows.Cell) throws -> String {
    guard number.kind == .integer, let name = plan.entityNames[number.integer] else {
      throw mismatch(.unreadable(type: "number of an entity"))
    }
    return name
  }

  @usableFromInline
  func mismatch(_ problem: RowMismatch) -> any Error {
    let last = max(0, min(cell, width) - 1)
    return UnreadableValue(
      problem: problem, property: plan.names.indices.contains(last) ? plan.names[last] : "",
      found: width > 0 ? rows.value(of: cells[last]) : .null, row: place)
  }

  /// The row's object ID if it is the first value, and otherwise its number in the result.
  private var place: UnreadableValue.Row {
    guard let first = plan.contents.first, cells[0].kind == .integer else {
      return .number(rowsBefore + row + 1, of: plan.entity)
    }
    switch first {
    case .objectID(let entity): return .object(entity: entity, key: cells[0].integer)
    case .objectIDOfAny:
      let name = plan.entityNames[cells[1].integer] ?? plan.entity
      return .object(entity: name, key: cells[0].integer)
    case .value, .externalValue, .entityNumber:
      return .number(rowsBefore + row + 1, of: plan.entity)
    }
  }
}

/// Batches of a statement's rows.
struct RowBatches: ~Copyable {
  private var statement: Statement
  private let batch: PackedRows
  private let digest: RowDigest?
  private var isAtEnd = false

  /// - Parameter digest: receives all rows.
  init(_ statement: consuming Statement, digest: RowDigest? = nil) {
    batch = PackedRows(width: Int(statement.columnCount))
    self.digest = digest
    self.statement = statement
  }

  /// Returns the next rows, or nil after the last row. They are valid until the next call.
  ///
  /// - Throws: `DatabaseError`
  mutating func next(atMost count: Int = PackedRows.rowLimit) throws(DatabaseError) -> PackedRows? {
    batch.removeAll()
    while !isAtEnd, !batch.isFull, batch.count < count {
      guard try statement.step() else {
        isAtEnd = true
        break
      }
      statement.copyRow(into: batch)
    }
    if let digest {
      digest.add(batch)
      if batch.count == 0 { digest.endRequest() }
    }
    return batch.count == 0 ? nil : batch
  }
}
