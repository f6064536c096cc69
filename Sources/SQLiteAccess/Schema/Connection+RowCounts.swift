package import StoreDiagnostics

extension Connection {
  /// The rows of every table that has pages, which virtual ones don't.
  package func rowCounts() throws(DatabaseError) -> ExactDictionary<Int64> {
    var counts: ExactDictionary<Int64> = [:]
    for name in try tableNames() {
      counts[name] = try integer("SELECT count(*) FROM \(name: name)")
    }
    return counts
  }
}
