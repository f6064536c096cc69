package import SQLiteAccess
import StoreDiagnostics

/// An R-tree over columns of a table, as Core Data creates it for an attribute that contains locations
/// (docs/formats/store-layout.md, "R-trees").
package struct RTreeLayout: Hashable, Sendable {
  /// The name, such as `Z_RT_Asset_boundedByRect`.
  package var name: String
  /// The table whose rows are in the R-tree.
  package var table: String
  /// The columns of that table, one for each dimension.
  package var columns: [String]

  static let prefix = "Z_RT_"

  /// The user-info key whose value lists the attributes of a location, such as `latitude, longitude`.
  static let componentsKey = "_NSLocationAttributeDerivedComponents"

  /// The supported numbers of dimensions: https://www.sqlite.org/rtree.html.
  static let dimensions = 1...5

  /// The names of the R-tree and of its shadow tables.
  package var tableNames: [String] { Self.tableNames(of: name) }

  static func tableNames(of name: String) -> [String] {
    [name] + ["node", "parent", "rowid"].map { "\(name)_\($0)" }
  }
}

extension RTreeLayout {
  /// The `CREATE VIRTUAL TABLE` statement.
  package var sql: SQL {
    let bounds = Self.bounds(of: columns).map { "\(name: $0) FLOAT" as SQL }.joined(", ")
    return """
      CREATE VIRTUAL TABLE \(name: name) USING RTREE \
      (\(name: FixedColumn.primaryKey) INTEGER PRIMARY KEY, \(bounds))
      """
  }

  /// Returns the statement that inserts all rows of the table into the R-tree.
  ///
  /// - Parameter replaces: whether existing rows are replaced.
  package func filling(replaces: Bool = false) -> SQL {
    let values = columns.flatMap { [SQL.name($0), .name($0)] }.joined(", ")
    let insert: SQL = replaces ? "INSERT OR REPLACE" : "INSERT"
    return """
      \(insert) INTO \(name: name) (\(listedColumns)) \
      SELECT \(name: FixedColumn.primaryKey), \(values) FROM \(name: table)
      """
  }

  /// The triggers that update the R-tree. Their text is the same as in real stores.
  package var triggers: [TriggerLayout] {
    let delete: SQL = "DELETE FROM \(name: name) WHERE \(name: FixedColumn.primaryKey) ="
    let new: SQL = "(\(listedColumns)) VALUES (NEW.\(name: FixedColumn.primaryKey), \(newValues))"
    return [
      trigger("INSERT", .insert, "INSERT OR REPLACE INTO \(name: name) \(new) ;"),
      trigger(
        "UPDATE", .update([]),
        "\(delete) NEW.\(name: FixedColumn.primaryKey) ; INSERT INTO \(name: name) \(new) ;"),
      trigger("DELETE", .delete, "\(delete) OLD.\(name: FixedColumn.primaryKey) ;"),
    ]
  }

  private func trigger(
    _ suffix: StaticString, _ event: WriteEvent, _ body: SQL
  ) -> TriggerLayout {
    let name = "\(name)_\(suffix)"
    let words = SQL(segments: [.text("\(suffix)")])
    return TriggerLayout(
      name: name, table: table, event: event,
      sql: """
        CREATE TRIGGER \(name: name) AFTER \(words) ON \(name: table) FOR EACH ROW BEGIN \(body) END
        """)
  }

  /// Returns the R-tree's columns for the minimum and the maximum of a column of the table.
  package static func bounds(of column: String) -> (least: String, greatest: String) {
    ("\(column)_MIN", "\(column)_MAX")
  }

  static func bounds(of columns: [String]) -> [String] {
    columns.flatMap { column in
      let bounds = bounds(of: column)
      return [bounds.least, bounds.greatest]
    }
  }

  private var listedColumns: SQL {
    ([FixedColumn.primaryKey] + Self.bounds(of: columns)).map(SQL.name).joined(", ")
  }

  /// The new values. Each value is both the minimum and the maximum of its dimension.
  private var newValues: SQL {
    columns.enumerated().map { place, column -> SQL in
      let value: SQL = "NEW.\(name: column)"
      // In Core Data's text, there is a space before the first comma.
      return place == 0 ? "\(value) ,\(value)" : "\(value), \(value)"
    }.joined(", ")
  }
}

extension DatabaseSchema.Trigger {
  /// Whether the trigger updates the rows of an R-tree.
  var isOfRTree: Bool {
    name.hasPrefix(RTreeLayout.prefix)
      && ["_INSERT", "_UPDATE", "_DELETE"].contains { name.hasSuffix($0) }
  }
}

extension DatabaseSchema {
  /// The names of Core Data's R-trees and of their shadow tables.
  package var rTreeTableNames: Set<String> {
    Set(
      virtualTables.filter { Self.isRTree($0.key, $0.value) }.keys.flatMap(RTreeLayout.tableNames))
  }

  private static func isRTree(_ name: String, _ definition: String) -> Bool {
    name.hasPrefix(RTreeLayout.prefix) && definition.uppercased().contains(" USING RTREE")
  }

  /// Returns Core Data's R-trees over the tables of these entities. They are found in the
  /// database, because the model may lack the user info for them, and an inferred model always does.
  func rTrees(over entities: [EntityLayout]) -> [RTreeLayout] {
    virtualTables.filter { Self.isRTree($0.key, $0.value) }.sorted { $0.key < $1.key }.compactMap {
      name, definition -> RTreeLayout? in
      let columns = Self.dimensions(ofRTree: definition)
      // The rest of the name consists of an entity and an attribute.
      let owner = entities.filter { name.hasPrefix("\(RTreeLayout.prefix)\($0.name)_") }
        .max { $0.name.utf8.count < $1.name.utf8.count }
      guard let columns, let table = owner?.table,
        columns.allSatisfy({ hasColumn($0, in: table) })
      else { return nil }
      return RTreeLayout(name: name, table: table, columns: columns)
    }
  }

  /// Returns `ZX` and `ZY` of `… (Z_PK INTEGER PRIMARY KEY, ZX_MIN FLOAT, ZX_MAX FLOAT, ZY_MIN FLOAT, ZY_MAX FLOAT)`,
  /// or nil for another form.
  private static func dimensions(ofRTree definition: String) -> [String]? {
    guard let start = definition.firstIndex(of: "(") else { return nil }
    let names = definition[start...].dropFirst().split(separator: ",").map { column in
      String(column.drop { $0 == " " }.prefix { $0 != " " && $0 != ")" }).filter { $0 != "\"" }
    }
    guard names.first == FixedColumn.primaryKey else { return nil }
    let bounds = names.dropFirst()
    let columns = bounds.filter { $0.hasSuffix("_MIN") }.map { String($0.dropLast(4)) }
    guard bounds.elementsEqual(RTreeLayout.bounds(of: columns)),
      RTreeLayout.dimensions.contains(columns.count)
    else { return nil }
    return columns
  }
}

extension Connection {
  /// Creates an R-tree from the rows of its table. An existing R-tree with the same name is dropped first, because rows
  /// that are only deleted from an R-tree can remain readable in its shadow tables.
  ///
  /// - Throws: `DatabaseError`
  package func makeRTree(_ tree: RTreeLayout) throws(DatabaseError) {
    try run("DROP TABLE IF EXISTS \(name: tree.name)")
    try define(tree.sql)
    try run(tree.filling())
  }
}
