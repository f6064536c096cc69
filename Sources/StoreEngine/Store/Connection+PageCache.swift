extension Connection {
  /// Gives work that touches many pages more room for them than SQLite's 2 MB: pages that are
  /// changed again and again then reach the journal once.
  ///
  /// 16 MiB, since building an index takes as much again for sorting. The room is taken as it is needed.
  func widenPageCache() throws(StoreError) {
    try run("PRAGMA cache_size = -16384")
  }
}
