package import StoreDiagnostics
package import StoreModel

/// What a mapping model says, and what it says in a way that only its app can follow.
package struct MappingModelReading: Hashable, Sendable {
  package let definition: MigrationDefinition
  /// In the order of the file: what is missing from the definition.
  package let diagnostics: [Diagnostic]
  /// The name of the bundle that the versions are in: `Shop` for `Shop.xcdatamodeld`.
  package let bundle: String
}

extension MappingModelReading {
  /// The definition, where nothing is missing from it.
  ///
  /// - Throws: `DiagnosticFailure` with all that is missing.
  package func complete() throws(DiagnosticFailure) -> MigrationDefinition {
    guard diagnostics.isEmpty else { throw DiagnosticFailure(diagnostics) }
    return definition
  }

  /// Reads `xcmapping.xml`.
  ///
  /// - Throws: `XMLFault` when the XML can't be read; `DiagnosticFailure` when it is no mapping model.
  package static func read(_ source: XMLSource) throws -> MappingModelReading {
    let root = try XMLReader.read(source, as: .mappingModel)
    let store = CoreDataXMLStore(root, in: source)
    var decoder = MappingModelDecoder(store: store, findings: Findings(source: source))
    guard let reading = decoder.decode(root) else {
      throw DiagnosticFailure(decoder.findings.diagnostics)
    }
    return reading
  }
}
