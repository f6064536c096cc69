import SQLiteAccess
import StoreLayout
import StoreModel
import StorePredicate

/// Finds the rows that to-one values describe without their object ID: by the destination's unique attribute
/// (`"team": "Tigers"`), or by a predicate (`"team": "(name == 'Tigers')"`).
package final class DestinationLookup {
  private let layout: StoreLayout
  private let store: String
  private let connection: Connection
  /// The found rows by the name of the property and the text of its value. When there are `cacheLimit` rows, all are
  /// removed.
  private var found: [Key: Row] = [:]

  private struct Key: Hashable {
    var property: String
    var text: String
  }

  struct Row: Hashable {
    var key: Int64
    /// The number of the row's entity.
    var entity: Int64
  }

  private static let cacheLimit = 10_000

  init(in layout: StoreLayout, store: String, on connection: Connection) {
    self.layout = layout
    self.store = store
    self.connection = connection
  }

  /// Returns the row that a text describes.
  ///
  /// - Throws: `RowLookupError` if not exactly one row matches; `ValueError` for text that isn't a value of the unique
  ///   attribute; errors of parsing and checking a predicate; `DatabaseError`.
  func row(_ text: String, of property: String, _ toOne: InsertPlan.ToOne) throws -> Row {
    let key = Key(property: property, text: text)
    if let known = found[key] { return known }
    let description = RowDescription(PredicateText(text, context: "in '\(property)'"))
    let row =
      if let description { try described(by: description, toOne) } else { try unique(text, toOne) }
    if found.count >= Self.cacheLimit { found.removeAll(keepingCapacity: true) }
    found[key] = row
    return row
  }

  private func described(
    by description: RowDescription, _ toOne: InsertPlan.ToOne
  ) throws -> Row {
    let predicate = try description.predicate(of: toOne.destination, in: layout.model)
    let id = try RowLookup(in: layout, store: store, on: connection)
      .onlyRow(of: toOne.destination, where: predicate)
    return Row(key: id.primaryKey, entity: toOne.entityNumbers[id.entity] ?? 0)
  }

  private func unique(_ text: String, _ toOne: InsertPlan.ToOne) throws -> Row {
    guard let unique = toOne.uniqueKey else { throw toOne.noObjectID }
    let stored = try unique.type.stored(text: text)
    let rows = try connection.rows(
      """
      SELECT \(name: FixedColumn.primaryKey), \(name: FixedColumn.entity) \
      FROM \(name: unique.table) WHERE \(name: unique.column) = \(value: stored) \
      AND \(name: FixedColumn.entity) IN \(.list(toOne.entityNumbers.values.sorted())) LIMIT 2
      """)
    guard rows.count == 1, case .integer(let key) = rows[0][0],
      case .integer(let entity) = rows[0][1]
    else {
      throw RowLookupError(
        entity: toOne.destination, predicate: "\(unique.attribute) == \"\(text)\"",
        isAmbiguous: !rows.isEmpty)
    }
    return Row(key: key, entity: entity)
  }
}
