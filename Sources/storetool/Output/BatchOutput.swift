import PredicateSQL

/// Prints the result of a committed batch request in the form that the user asked for.
struct BatchOutput {
  let options: BatchResultOptions
  let format: FormatOptions

  /// - Parameters:
  ///   - count: the bare number, unless a format is asked for; then `facts` are printed.
  ///   - ids: the query of the object IDs.
  func print(
    count: Int, facts: FactObject, ids: @autoclosure () -> CompiledQuery, from store: OpenStore
  ) throws {
    Signals.endOnInterrupt()
    if options.ids {
      try RowOutput(format).printIDs(ids(), from: store)
    } else if options.status {
      try printStatus()
    } else if format.format == nil {
      Terminal.out.write("\(count)\n")
    } else {
      try FactWriter(format).print(.page(facts.value))
    }
  }

  private func printStatus() throws {
    guard format.format != nil else { return Terminal.out.write("true\n") }
    var page = FactObject()
    page.add("status", true)
    try FactWriter(format).print(.page(page.value))
  }
}
