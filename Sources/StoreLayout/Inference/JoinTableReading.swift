import SQLiteAccess
import StoreDiagnostics

/// A many-to-many relationship, inferred from the names of its table and columns:
/// `Z_2COLLECTIONS (Z_2ARTWORKS, Z_3COLLECTIONS)` contains `collections` of entity 2 and its inverse, `artworks` of
/// entity 3. A column with the name of a relationship contains the relationship's destinations
/// (docs/formats/store-layout.md, "Relationships").
struct JoinTableReading {
  struct Side {
    /// The entity that has the relationship.
    var entity: Int64
    /// The name of the relationship in upper case.
    var name: String
    var isOrdered: Bool
  }

  let table: String
  /// The side after which the table is named.
  let forth: Side
  /// The other side, or nil for a relationship that is its own inverse.
  let back: Side?

  /// Returns nil for a table that isn't a join table.
  ///
  /// - Parameter collided: the columns of all join tables, as `<entity number> <NAME>`. A column whose name also exists
  ///   without the number at its end has that number because of a name collision.
  init?(_ table: DatabaseSchema.Table, collided: Set<String>) {
    guard let (number, name) = StoredName.join(table.name), name == name.uppercased() else {
      return nil
    }
    self.table = table.name
    let keys = table.columns.filter(\.isInteger).map(\.name).compactMap { column -> Column? in
      StoredName.join(column).map { Column(name: column, number: $0.number, rest: $0.relationship) }
    }
    let names = Set(table.columnNames)
    func isOrdered(_ column: Column) -> Bool {
      names.contains(FixedColumn.order(beside: column.name))
    }
    let destinations = keys.filter { $0.rest.isName(name) }
    let exact = destinations.first { $0.rest == name }
    if keys.count == 1, let only = exact, names.contains(StoredName.reflexive) {
      forth = Side(entity: number, name: name, isOrdered: isOrdered(only))
      back = nil
      return
    }
    guard keys.count == 2 else { return nil }
    // If both columns have the relationship's name, the column with the other entity's number contains the
    // destinations.
    let found = destinations.first { $0.number != number } ?? exact ?? destinations.first
    guard let found, let other = keys.first(where: { $0.name != found.name }),
      other.number == number, other.rest == other.rest.uppercased()
    else { return nil }
    forth = Side(entity: number, name: name, isOrdered: isOrdered(found))
    back = Side(
      entity: found.number, name: other.uncollided(collided), isOrdered: isOrdered(other))
  }

  private struct Column {
    var name: String
    var number: Int64
    var rest: String

    /// Returns the name without the number that Core Data adds after a name collision.
    func uncollided(_ collided: Set<String>) -> String {
      let base = rest.trimmingNumber
      return !base.isEmpty && base != rest && collided.contains("\(number) \(base)") ? base : rest
    }
  }

  /// Returns all join tables, and the tables that have the name of a join table but other columns.
  ///
  /// - Parameter taken: the tables of entities, which can have any name.
  static func all(
    in schema: StoreSchema, besides taken: Set<String>
  ) -> (tables: [JoinTableReading], unexplained: [UnexplainedPart]) {
    let tables = schema.database.tables.values.sorted { $0.name.precedes($1.name) }
      .filter { StoredName.join($0.name) != nil && !taken.contains($0.name) }
    let columns = tables.flatMap(\.columnNames).compactMap(StoredName.join)
    let collided = Set(columns.map { "\($0.number) \($0.relationship)" })
    let readings = tables.map { JoinTableReading($0, collided: collided) }
    let unread = zip(tables, readings).filter { $1 == nil }.map(\.0.name)
    return (
      readings.compactMap { $0 }, unread.map { UnexplainedPart(name: $0, reason: .unknownForm) }
    )
  }
}
