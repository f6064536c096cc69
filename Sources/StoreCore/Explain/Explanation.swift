package import SQLiteAccess
package import StoreLayout

/// How SQLite will run a statement: its plan, the indexes that serve it, and those of the model that would, if the store had them.
package struct Explanation: Hashable, Sendable {
  /// One line of SQLite's plan.
  package struct Step: Hashable, Sendable {
    /// `SEARCH t0 USING INDEX ZITEM_ZLIST_INDEX (ZLIST=?)`
    package var detail: String
    /// How many steps it stands below; 0 at the top.
    package var depth: Int

    /// The index that serves the step; nil when none does, or when it is the primary key.
    package var index: String? {
      for phrase in ["USING INDEX ", "USING COVERING INDEX "] {
        guard let start = detail.firstRange(of: phrase)?.upperBound else { continue }
        let rest = detail[start...]
        return String(rest[..<(rest.firstRange(of: " (")?.lowerBound ?? rest.endIndex)])
      }
      return nil
    }

    /// Every row of a table is visited.
    package var isScan: Bool { detail.hasPrefix("SCAN ") && !detail.hasPrefix("SCAN CONSTANT") }
  }

  /// An index that the model asks for and the store does not have.
  package struct MissingIndex: Hashable, Sendable {
    package var name: String
    package var table: String
    /// The statement that would make it.
    package var statement: String
  }

  /// With `?1`, `?2` … for the parameters.
  package var sql: String
  package var parameters: [SQLiteValue]
  package var steps: [Step]
  package var missing: [MissingIndex]
  package var advised: [AdvisedIndex]

  /// The indexes that serve, each once, in the plan's order.
  package var indexes: [String] {
    steps.compactMap(\.index).reduce(into: []) { found, index in
      if !found.contains(index) { found.append(index) }
    }
  }

  /// - Parameter connection: to the store, with our SQL functions known to it.
  /// - Throws: `DatabaseError`
  package init(
    _ statement: SQL, in layout: StoreLayout, on connection: Connection
  ) throws {
    (sql, parameters) = statement.rendered()
    steps = try Self.plan(of: statement, on: connection)
    missing = try Self.missingIndexes(for: statement, in: layout, on: connection)
    advised =
      missing.isEmpty ? try Self.advice(for: statement, steps, in: layout, on: connection) : []
  }

  package static func plan(of statement: SQL, on connection: Connection) throws(DatabaseError)
    -> [Step]
  {
    var depths: [Int64: Int] = [0: -1]
    return try connection.rows("EXPLAIN QUERY PLAN \(statement)").compactMap { row in
      guard case .integer(let id) = row[0], case .integer(let parent) = row[1],
        case .text(let detail) = row[3]
      else { return nil }
      let depth = (depths[parent] ?? -1) + 1
      depths[id] = depth
      return Step(detail: detail, depth: depth)
    }
  }
}
