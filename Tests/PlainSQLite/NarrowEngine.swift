import CSQLite
import Foundation

/// An engine as a service offers it: each statement comes alone, on a connection that knows nothing of the last one,
/// and counts at once. No transactions, settings, other files or temporary tables; no functions but SQLite's.
public struct NarrowEngine {
  private let path: String
  /// Of a statement; nil for SQLite's own limit.
  private let longestStatement: Int?

  public init(_ path: String, longestStatement: Int? = nil) {
    self.path = path
    self.longestStatement = longestStatement
  }

  public func run(_ statements: [String]) throws {
    for statement in statements { try run(statement, []) }
  }

  /// Statements with their parameters: `[["UPDATE … = ?1", "text"], …]`.
  public func run(json: String) throws {
    let list = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String]] ?? []
    for statement in list { try run(statement[0], Array(statement.dropFirst())) }
  }

  private func run(_ statement: String, _ parameters: [String]) throws {
    if let longestStatement, statement.utf8.count > longestStatement {
      throw PlainDatabase.Failure(code: SQLITE_TOOBIG, message: "statement too long")
    }
    if longestStatement != nil, parameters.count > 100 {
      throw PlainDatabase.Failure(code: SQLITE_ERROR, message: "too many SQL variables")
    }
    let database = try PlainDatabase(path)
    // Nothing is lost with the store of a test.
    try database.execute("PRAGMA synchronous = OFF")
    try database.refuseMoreThanRowsAndSchema()
    _ = try database.rows(statement, arguments: parameters)
    try database.close()
  }
}

extension PlainDatabase {
  fileprivate func refuseMoreThanRowsAndSchema() throws {
    try authorize { action in
      switch action {
      case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH, SQLITE_PRAGMA,
        SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_TEMP_INDEX, SQLITE_CREATE_TEMP_TRIGGER,
        SQLITE_CREATE_TEMP_VIEW:
        SQLITE_DENY
      default: SQLITE_OK
      }
    }
  }

  /// Everything in it: the schema, then each row of each table, with the types of its values.
  ///
  /// - Parameter tables: left out.
  public func content(without tables: Set<String> = []) throws -> [String] {
    var lines: [String] = []
    let schema = try rows("SELECT type, name, sql FROM sqlite_master ORDER BY name, type")
    for object in schema {
      lines.append(object.map { $0 ?? "-" }.joined(separator: " "))
      guard object[0] == "table", let name = object[1], !tables.contains(name) else { continue }
      let columns = try texts("SELECT name FROM pragma_table_info('\(name)')")
        .map { "typeof(\"\($0)\") || ' ' || quote(\"\($0)\")" }
      let found = try rows("SELECT \(columns.joined(separator: ", ")) FROM \"\(name)\"")
      lines += found.map { "\(name): " + $0.map { $0 ?? "-" }.joined(separator: ", ") }.sorted()
    }
    return lines
  }
}
