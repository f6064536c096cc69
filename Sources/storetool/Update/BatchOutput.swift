import RecordFormats
import PredicateSQL
import StoreCore

/// Prints the result of a committed batch request in the form that the user asked for.
struct BatchOutput {
  let options: BatchResultOptions
  let format: FormatOptions

  /// - Parameters:
  ///   - count: the bare number, unless a format is asked for; then `facts` are printed.
  ///   - ids: the query of the object IDs.
  func print(
    count: Int, facts: some Encodable, ids: @autoclosure () -> CompiledQuery,
    from store: OpenStore
  ) throws {
    Signals.endOnInterrupt()
    try UnreportedChange.reporting(store.store.path) {
      try printResult(count: count, facts: facts, ids: ids(), from: store)
    }
  }

  private func printResult(
    count: Int, facts: some Encodable, ids: @autoclosure () -> CompiledQuery,
    from store: OpenStore
  ) throws {
    if options.ids {
      try RowOutput(format).printIDs(ids(), from: store)
    } else if options.status {
      try printStatus()
    } else if format.format == nil {
      try OutputFile.standard.write("\(count)\n")
    } else {
      try FactWriter(format).print(.page(facts))
    }
  }

  private func printStatus() throws {
    guard format.format != nil else { return try OutputFile.standard.write("true\n") }
    try FactWriter(format).print(.page(["status": true]))
  }
}
