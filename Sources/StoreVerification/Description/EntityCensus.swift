import SQLiteAccess
import StoreLayout

/// Entities and their rows, found from `Z_PRIMARYKEY` and the names of tables alone.
struct EntityCensus {
  typealias EntityFacts = StoreDescription.EntityFacts

  private(set) var entities: [EntityFacts] = []

  init(
    _ keys: [PrimaryKeyRow], _ schema: StoreSchema, hashes: [String: [UInt8]],
    _ connection: Connection
  ) throws(DatabaseError) {
    let roots = Self.roots(of: keys)
    for root in keys where roots[root.number] == root.number {
      let members = keys.filter { roots[$0.number] == root.number }
      let name = "Z\(root.name.uppercased())"
      let table = schema.gaps(ofRowsIn: name, of: root.name).isEmpty ? name : nil
      let counts = try table.map(connection.rowCounts) ?? [:]
      entities += members.map {
        EntityFacts(
          number: $0.number, name: $0.name, parentNumber: $0.parentNumber, table: table,
          rowCount: counts[$0.number] ?? 0, highestKey: $0.highestKey, hash: hashes[$0.name])
      }
    }
    entities.sort { $0.number < $1.number }
  }

  /// The root's number by the entity's.
  private static func roots(of keys: [PrimaryKeyRow]) -> [Int64: Int64] {
    let byNumber = Dictionary(keys.map { ($0.number, $0) }) { first, _ in first }
    return byNumber.mapValues { key in
      var found = key
      // Never more steps than there are rows: a damaged store may have a circle.
      for _ in keys { found = byNumber[found.parentNumber] ?? found }
      return found.number
    }
  }
}

extension Connection {
  /// The rows of a table by `Z_ENT`, in one pass over it.
  fileprivate func rowCounts(of table: String) throws(DatabaseError) -> [Int64: Int64] {
    var statement = try prepare(
      "SELECT \(name: FixedColumn.entity), count(*) FROM \(name: table) GROUP BY 1")
    var counts: [Int64: Int64] = [:]
    // NULL, and whatever is not a number, counts as 0.
    while try statement.step() {
      counts[statement.integer(at: 0), default: 0] += statement.integer(at: 1)
    }
    return counts
  }
}
