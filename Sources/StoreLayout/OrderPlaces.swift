package import SQLiteAccess

/// `Z_FOK_…`: the place of a member in an ordered relationship. Core Data leaves 1024 between neighbors, from 2048 on.
package enum OrderPlaces {
  /// The place of a member by its position, from 0 on.
  package static func place(at position: Int64) -> Int64 { 2048 + 1024 * position }

  /// - Parameter position: in parentheses where it is more than a name or a call.
  package static func place(at position: SQL) -> SQL { "2048 + 1024 * \(position)" }

  /// The place of a member behind others.
  ///
  /// - Parameters:
  ///   - number: which of the new members it is, from 1 on.
  ///   - last: the place of the last of the others; NULL where there is none.
  package static func place(ofNext number: SQL, behind last: SQL) -> SQL {
    "1024 * \(number) + coalesce(\(last), 1024)"
  }

  /// The position behind the member at a place; 0 where that is NULL.
  package static func position(behind place: SQL) -> SQL {
    "coalesce((\(place) - 2048) / 1024 + 1, 0)"
  }

  /// The last place of rows that others can be put behind. One that no member can have come to, a damaged one, does not
  /// count: behind the greatest integer comes a REAL.
  ///
  /// - Parameter place: the column.
  /// - Returns: an aggregate; NULL where there is none.
  package static func last(_ place: SQL) -> SQL {
    let limit = SQL.value(.integer(KeyRange.limit))
    return "max(CAST(\(place) AS INTEGER)) FILTER (WHERE \(place) BETWEEN 0 AND \(limit))"
  }
}

/// The numbers that rows get.
package enum KeyRange {
  /// Above this the next rows of one transaction could run out of 64 bits.
  package static let limit = Int64.max >> 1
}
