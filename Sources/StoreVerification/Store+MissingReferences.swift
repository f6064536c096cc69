package import SQLiteAccess
package import StoreCore
package import StoreLayout

extension Store {
  /// Returns references to missing rows, and required values and references that are NULL.
  ///
  /// - Throws: `DatabaseError`
  package func missingReferences(
    in layout: StoreLayout, _ connection: Connection
  ) throws -> [Finding] {
    let schema = try connection.schema()
    let name = naming(layout, schema)
    return try layout.checks(in: schema).filter(\.finding.isMissingReference).compactMap {
      try $0.ask(connection, name: name)
    }
  }
}

extension Finding {
  fileprivate var isMissingReference: Bool {
    switch kind {
    case .dangling, .ghostPairs, .lostOwner, .missingValue: true
    default: false
    }
  }
}
