import SQLiteAccess
import StoreLayout

/// Finds rows of the store by the values of a key, which consists of attributes that the caller specifies. The store
/// doesn't need an index of them, because all rows are read once into a temporary table.
final class KnownRows {
  /// The result of searching for the row that has the same key as a record.
  enum Match {
    case row(Int64)
    /// Several rows of the store have the values.
    case several
    /// Another record of this input has the values.
    case repeated
  }

  let attributes: [String]
  private let connection: Connection
  private let cells: [Int]
  private var search: Statement
  private var addition: Statement
  /// The number of written records in which an attribute of the key is missing or NULL.
  private(set) var keylessCount = 0

  private static let table = "storetool_known"

  /// - Parameter attributes: the names of the key's attributes in the plan.
  init(
    _ attributes: [String], of plan: InsertPlan, on connection: Connection
  ) throws(DatabaseError) {
    self.attributes = attributes
    self.connection = connection
    cells = attributes.compactMap { plan.field(named: $0)?.cell }
    let names = cells.indices.map { SQL.name("v\($0)") }
    let columns = cells.map { SQL.name(plan.columns[$0]) }
    let table: SQL = "temp.\(name: Self.table)"
    try connection.run("DROP TABLE IF EXISTS \(table)")
    try connection.run(
      """
      CREATE TEMP TABLE \(name: Self.table) (\(names.joined(", ")), k INTEGER, n INTEGER, \
      isNew INTEGER, PRIMARY KEY (\(names.joined(", ")))) WITHOUT ROWID
      """)
    try connection.run(
      """
      INSERT INTO \(table) SELECT \(columns.joined(", ")), \
      min(\(name: FixedColumn.primaryKey)), count(*), 0 FROM \(name: plan.table) \
      WHERE \(name: FixedColumn.entity) IN \(.list(plan.place.subtree)) \
      AND \(columns.map { "\($0) NOT NULL" as SQL }.joined(" AND ")) \
      GROUP BY \(columns.joined(", "))
      """)
    search = try connection.prepare(
      """
      SELECT k, n, isNew FROM \(table) \
      WHERE \(names.map { "\($0) = \(value: .null)" as SQL }.joined(" AND "))
      """)
    let values = Array(repeating: "\(value: .null)" as SQL, count: names.count)
    addition = try connection.prepare(
      "INSERT OR REPLACE INTO \(table) VALUES (\(values.joined(", ")), \(value: .null), 1, \(value: .null))"
    )
  }

  /// Finds the row of a record.
  ///
  /// - Parameter given: the indices of the fields that the record contains.
  /// - Returns: nil if no row has the key, or if an attribute of the key is missing or NULL in the record.
  func match(row: Int, of rows: PackedRows, giving given: Set<Int>, in plan: InsertPlan)
    throws(DatabaseError) -> Match?
  {
    guard let values = values(row: row, of: rows, giving: given, in: plan) else { return nil }
    defer { search.reset() }
    for (index, value) in values.enumerated() { try search.bind(value, at: Int32(index + 1)) }
    guard try search.step() else { return nil }
    if search.integer(at: 2) != 0 { return .repeated }
    return search.integer(at: 1) > 1 ? .several : .row(search.integer(at: 0))
  }

  /// Marks the key of a record, so that `match` returns `repeated` for another record with the same key.
  func take(
    row: Int, of rows: PackedRows, giving given: Set<Int>, in plan: InsertPlan, key: Int64
  ) throws(DatabaseError) {
    guard let values = values(row: row, of: rows, giving: given, in: plan) else {
      keylessCount += 1
      return
    }
    let all = values + [.integer(key), .integer(1)]
    for (index, value) in all.enumerated() { try addition.bind(value, at: Int32(index + 1)) }
    _ = try addition.step()
    addition.reset()
  }

  private func values(
    row: Int, of rows: PackedRows, giving given: Set<Int>, in plan: InsertPlan
  ) -> [SQLiteValue]? {
    let stored = rows.cells(ofRow: row)
    let fields = attributes.compactMap { name in plan.fields.firstIndex { $0.name == name } }
    guard given.isSuperset(of: fields) else { return nil }
    let values = cells.map { rows.value(of: stored[$0]) }
    return values.contains(.null) ? nil : values
  }
}
