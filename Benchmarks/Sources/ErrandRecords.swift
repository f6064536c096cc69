import Foundation
import GRDB

/// A GRDB record with the values of a generated `Errand` and its key.
protocol ErrandRecord: FetchableRecord {
  var key: Int64 { get }
  var createdAt: Date? { get }
  var done: Bool { get }
  var name: String { get }
  var note: String? { get }
  var priority: Int16 { get }
}

enum ErrandColumns {
  static let sql =
    "SELECT Z_PK, ZCREATEDAT, ZDONE, ZNAME, ZNOTE, ZPRIORITY FROM ZERRAND ORDER BY Z_PK"
}

/// A record that reads values by column name, as in GRDB's guide.
struct ErrandByName: ErrandRecord {
  let key: Int64
  let createdAt: Date?
  let done: Bool
  let name: String
  let note: String?
  let priority: Int16

  init(row: Row) {
    key = row["Z_PK"]
    createdAt = (row["ZCREATEDAT"] as Double?).map(Date.init(timeIntervalSinceReferenceDate:))
    done = row["ZDONE"]
    name = row["ZNAME"]
    note = row["ZNOTE"]
    priority = row["ZPRIORITY"]
  }
}

/// A record that reads values by position, which is the fastest method of GRDB.
struct ErrandByPosition: ErrandRecord {
  let key: Int64
  let createdAt: Date?
  let done: Bool
  let name: String
  let note: String?
  let priority: Int16

  init(row: Row) {
    key = row[0]
    createdAt = (row[1] as Double?).map(Date.init(timeIntervalSinceReferenceDate:))
    done = row[2]
    name = row[3]
    note = row[4]
    priority = row[5]
  }
}
