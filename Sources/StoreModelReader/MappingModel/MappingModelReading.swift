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
  /// - Throws: `DiagnosticError` with all that is missing.
  package func complete() throws(DiagnosticError) -> MigrationDefinition {
    guard diagnostics.isEmpty else { throw DiagnosticError(diagnostics) }
    return definition
  }

  /// Reads `xcmapping.xml`.
  ///
  /// - Throws: `XMLError` when the XML can't be read; `DiagnosticError` when it is not a mapping model.
  package static func read(_ source: XMLSource) throws -> MappingModelReading {
    let root = try XMLReader.read(source, as: .mappingModel)
    let store = CoreDataXMLStore(root, in: source)
    var decoder = MappingModelDecoder(store: store, findings: Findings(source: source))
    guard let reading = decoder.decode(root) else {
      throw DiagnosticError(decoder.findings.diagnostics)
    }
    return reading
  }

  /// Between which versions it is, as far as a file that can't be read still says so.
  static func ends(inBroken source: XMLSource) -> (from: String, to: String)? {
    guard let from = version("sourcemodelpath", in: source.bytes),
      let to = version("destinationmodelpath", in: source.bytes)
    else { return nil }
    return (from, to)
  }

  private static func version(_ attribute: String, in bytes: [UInt8]) -> String? {
    guard let found = bytes.firstRange(of: Array("name=\"\(attribute)\"".utf8)),
      let start = bytes[found.upperBound...].firstIndex(of: UInt8(ascii: ">")),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "<"))
    else { return nil }
    let path = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
    return ModelPath.stem(of: FilePath(path), without: [ModelPath.versionExtension])
  }
}
