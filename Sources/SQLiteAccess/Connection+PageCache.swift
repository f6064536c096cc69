/// How much room a connection has for the store's pages.
package enum PageCache: Hashable {
  /// SQLite's own: 2 MB. Right for all that goes through a table or an index in its order, and for
  /// building an index, which sorts in pieces as large as the cache: small ones stay in the
  /// processor's, and each page of memory that is taken for the first time costs time, too.
  case usual
  /// For keys that move in an index whose order is not that of the rows: pages that are changed again
  /// and again then reach the journal fewer times. More than 8 MiB costs more than it saves. Also for
  /// reading rows in such an order.
  case wide

  // In KiB, as SQLite's documentation has it; a PRAGMA takes no parameters.
  fileprivate var setting: SQL {
    switch self {
    case .usual: "PRAGMA cache_size = -2000"
    case .wide: "PRAGMA cache_size = -8192"
    }
  }
}

extension Connection {
  /// The room is taken as it is needed.
  package func setPageCache(_ cache: PageCache) throws(DatabaseError) {
    try run(cache.setting)
  }
}
