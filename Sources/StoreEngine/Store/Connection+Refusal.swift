extension Connection {
  package func hasTable(_ name: String) throws(StoreError) -> Bool {
    try integer(
      """
      SELECT count(*) FROM sqlite_master m \
      WHERE \(Self.isTable) AND m.name = \(value: .text(name))
      """) > 0
  }

  /// Every write runs the store's triggers and records its history; what stands in the way of that
  /// is found before the first row is read.
  func refuseUnsafeWriting() throws(StoreError) {
    try refuseUnknownFunctions()
    _ = try HistoryFormat(self)
  }
}
