package import StoreSQL

/// `Z_FOK_…`: the place of a member in an ordered relationship. Core Data leaves 1024 between neighbors, from 2048 on.
package enum OrderPlaces {
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
