package import SQLiteAccess

extension Connection {
  /// Every write runs the store's triggers and records its history; what stands in the way of that
  /// is found before the first row is read.
  package func refuseUnsafeWriting() throws {
    try refuseUnknownFunctions()
    _ = try HistoryFormat(self)
  }
}
