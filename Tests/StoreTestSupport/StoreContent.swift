import Foundation
import PredicateSQL
import SampleData
import SQLiteAccess
package import StoreCore
package import StoreLayout
import TestSupport

/// The content of a store, read by columns, without data that differs between equal stores: keys, positions and the
/// locations of large values. Rows are identified by their entity and their number among its rows.
package struct StoreContent {
  /// Lines such as `Item 3.name: 'Tea'`, one for each property of each row.
  package private(set) var lines: [String] = []
  private let layout: StoreLayout
  private let folder: URL
  /// The names of rows by table and key.
  private var names: [String: [Int64: String]] = [:]

  package init(of store: Store, _ layout: StoreLayout) throws {
    self.layout = layout
    folder = URL(fileURLWithPath: "\(store.externalDataFolder)")
    try store.read { connection in
      for entity in concrete { try name(entity, on: connection) }
      for entity in concrete { try read(entity, on: connection) }
    }
  }

  /// Returns the lines that differ, or nil if the contents are equal.
  package func difference(to other: StoreContent) -> String? {
    guard lines != other.lines else { return nil }
    return Golden.lineDifference(
      from: lines.joined(separator: "\n"), to: other.lines.joined(separator: "\n"))
  }

  private var concrete: [EntityLayout] { layout.entities.filter { !$0.isAbstract } }

  private func rows(
    _ columns: [String], of entity: EntityLayout, on connection: Connection
  ) throws -> [[SQLiteValue]] {
    let list = ([FixedColumn.primaryKey] + columns).map { SQL.name($0) }.joined(", ")
    return try connection.rows(
      """
      SELECT \(list) FROM \(name: entity.table) \
      WHERE \(.name(FixedColumn.entity)) = \(.number(entity.number)) \
      ORDER BY \(.name(FixedColumn.primaryKey))
      """)
  }

  private mutating func name(_ entity: EntityLayout, on connection: Connection) throws {
    for (number, row) in try rows([], of: entity, on: connection).enumerated() {
      guard case .integer(let key)? = row.first else { continue }
      names[entity.table, default: [:]][key] = "\(entity.name) \(number + 1)"
    }
  }

  /// The name of the row with a key.
  private func name(_ key: SQLiteValue, of destination: String) -> String {
    guard case .integer(let number) = key else { return key.shown }
    let table = layout.entity(named: destination)?.table ?? ""
    return names[table]?[number] ?? "no row \(number)"
  }

  private mutating func read(_ entity: EntityLayout, on connection: Connection) throws {
    let attributes = entity.attributes.sorted { $0.key < $1.key }
    let toOnes = entity.toOne.sorted { $0.key < $1.key }
    let toManys = entity.toMany.sorted { $0.key < $1.key }
    let columns = attributes.map(\.value.column) + toOnes.map(\.value.column)
    for row in try rows(columns, of: entity, on: connection) {
      guard case .integer(let key)? = row.first else { continue }
      let own = name(row[0], of: entity.name)
      for ((attribute, column), value) in zip(attributes, row.dropFirst()) {
        lines.append("\(own).\(attribute): \(text(of: value, in: column))")
      }
      for ((toOne, column), value) in zip(toOnes, row.dropFirst(1 + attributes.count)) {
        lines.append("\(own).\(toOne): \(name(value, of: column.destination))")
      }
      for (toMany, place) in toManys {
        let members = try members(of: key, in: place, on: connection)
        lines.append("\(own).\(toMany): \(members.joined(separator: ", "))")
      }
    }
  }

  private func text(of value: SQLiteValue, in column: AttributeColumn) -> String {
    guard column.allowsExternalStorage, case .blob(let stored) = value else { return value.shown }
    return stored.withUnsafeBufferPointer { bytes in
      switch ExternalValue(stored: bytes) {
      case .inline(let bytes): return SQLiteValue.blob(Array(bytes)).shown
      case .file(let name):
        let bytes = FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)
        return bytes.map { SQLiteValue.blob(Array($0)).shown } ?? "NULL"
      }
    }
  }

  /// Returns the names of members, in their order if the relationship is ordered.
  private func members(
    of owner: Int64, in place: ToManyLayout, on connection: Connection
  ) throws -> [String] {
    let (table, member, key, order) =
      switch place {
      case .column(let key): (key.table, FixedColumn.primaryKey, key.column, key.orderColumn)
      case .joinTable(let join):
        (join.table, join.destinationColumn, join.sourceColumn, join.orderColumn)
      }
    let rows = try connection.rows(
      """
      SELECT \(.name(member)) FROM \(name: table) WHERE \(.name(key)) = \(.number(owner)) \
      ORDER BY \(.name(order ?? member)), \(.name(member))
      """)
    let names = rows.compactMap(\.first).map { name($0, of: place.destination) }
    return order == nil ? names.sorted() : names
  }
}
