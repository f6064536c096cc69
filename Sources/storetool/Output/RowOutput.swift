import StoreEngine
import StoreModel

/// Prints the result of a request on standard output.
struct RowOutput {
  private let options: FormatOptions

  init(_ options: FormatOptions) {
    self.options = options
  }

  /// - Throws: what compiling, running and writing throw.
  func print(_ prepared: PreparedRequest, from store: OpenStore) throws {
    let query = try prepared.query(in: store)
    // A bare number and bare IDs are what a script reads, unless it asks for a format.
    let isSingle = prepared.request.result == .count || prepared.request.result == .objectIDs
    let isBare = isSingle && options.format == nil
    try store.store.read { connection in
      _ = try RowStream(query, on: connection).writeAll(
        as: isBare ? .tsv : options.resolved, sectioned: prepared.request.sections != nil,
        hasHeader: !isBare, context: store.context, to: OutputFile.standard)
    }
  }
}
