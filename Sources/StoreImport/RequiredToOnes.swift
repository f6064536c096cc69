import StoreModel
import SQLiteAccess
import StoreCore
import StoreLayout

/// New rows that may lack a required to-one relationship. Another record can set it, so they are checked after all
/// links are written.
final class RequiredToOnes {
  private let connection: Connection
  private var adding: Statement
  private var count = 0

  init(on connection: Connection) throws(DatabaseError) {
    try connection.makeTemporaryTable(
      "import_required",
      """
      (entity TEXT, property TEXT, key INTEGER, \
      record INTEGER, line INTEGER, column INTEGER)
      """)
    self.connection = connection
    adding = try Statement(
      "INSERT INTO temp.import_required VALUES (?, ?, ?, ?, ?, ?)", on: connection)
  }

  /// Registers a new row for `check`, because it may not have a value of `property` yet.
  func expect(
    _ property: String, of entity: String, key: Int64, from record: GraphWriter.Record
  ) throws(DatabaseError) {
    try adding.run([
      .text(entity), .text(property), .integer(key), .integer(Int64(record.index)),
      .integer(Int64(record.position.line)), .integer(Int64(record.position.column)),
    ])
    count += 1
  }

  /// - Throws: `RowError` for a row that still lacks the relationship, `DatabaseError`.
  func check(in layout: StoreLayout, _ inputs: ImportInputs) throws {
    guard count > 0 else { return }
    for kind in try connection.rows("SELECT DISTINCT entity, property FROM temp.import_required") {
      guard case .text(let name) = kind[0], case .text(let property) = kind[1],
        let entity = layout.entity(named: name), let toOne = entity.toOne[property]
      else { continue }
      var missing = try connection.prepare(
        """
        SELECT r.record, r.line, r.column FROM temp.import_required AS r \
        JOIN \(name: entity.table) AS t ON t.\(name: FixedColumn.primaryKey) = r.key \
        WHERE r.entity = \(value: kind[0]) AND r.property = \(value: kind[1]) \
        AND t.\(name: toOne.column) IS NULL ORDER BY r.record LIMIT 1
        """)
      guard try missing.step() else { continue }
      let record = GraphWriter.Record(
        index: Int(missing.integer(at: 0)), inputs: inputs,
        position: TextPosition(
          line: Int(missing.integer(at: 1)), column: Int(missing.integer(at: 2))))
      throw RowError(
        .value(property: property, shown: "", .missing), entity: name, record: record.number,
        place: record.place)
    }
  }
}
