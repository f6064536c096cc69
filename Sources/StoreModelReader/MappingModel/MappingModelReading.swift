package import StoreDiagnostics
package import StoreModel

/// What a mapping model says, and what it says in a way that only its app can follow.
package struct MappingModelReading: Hashable, Sendable {
  package let definition: MigrationDefinition
  /// In the order of the file: what is missing from the definition.
  package let diagnostics: [Diagnostic]
  /// The name of the bundle that the versions are in: `Shop` for `Shop.xcdatamodeld`.
  package let bundle: String

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

/// What a mapping model can't say without its app.
enum MappingModelIssue: ModelIssue, Hashable {
  case notAMappingModel(String)
  case noVersion(String)
  case policy(String, entity: String)
  case policyValue(
    String, arguments: [String], policy: String?, property: String, entity: String)
  case unreadable(String, property: String, String)

  var diagnostic: Diagnostic {
    switch self {
    case .notAMappingModel(let root):
      failure("not-a-mapping-model", "the file holds a '\(root)', not a mapping model")
        .helping("give the .xcmappingmodel folder, or the 'xcmapping.xml' in it")
    case .noVersion(let attribute):
      failure("no-version", "the mapping model has no '\(attribute)'")
        .helping("open it once in Xcode and choose its models")
    case .policy(let name, let entity):
      failure(
        "policy", "rows of '\(entity)' are migrated by code of the app, in the class '\(name)'"
      ).helping(.migration(.defineEntity(entity)))
    case .policyValue(let selector, let arguments, let policy, let property, let entity):
      failure(
        "policy",
        "'\(entity).\(property)' is computed by code of the app: '\(selector)'"
          + (policy.map { " of the class '\($0)'" } ?? "")
      ).helping(
        arguments.isEmpty
          ? "say it in a migration file: <attribute name=\"\(property)\" value=\"…\"/>"
          : "say it in a migration file, of \(arguments.joined(separator: ", ")): <attribute name=\"\(property)\" value=\"…\"/>"
      )
    case .unreadable(let what, let property, let entity):
      failure("unknown-expression", "'\(entity).\(property)' has an unknown expression: \(what)")
        .helping("say it in a migration file")
    }
  }

  private func failure(_ code: String, _ message: String) -> Diagnostic {
    Diagnostic(.error, "mapping-model.\(code)", message)
  }
}
