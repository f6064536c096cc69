package import StoreDiagnostics
package import StoreModel

/// The migration definition in a mapping model, with errors for the parts that can't be converted.
package struct MappingModelReading: Hashable, Sendable {
  package let definition: MigrationDefinition
  /// The errors for the parts that are missing in the definition, in the order of the file.
  package let diagnostics: [DiagnosticMessage]
  /// The name of the bundle that contains the destination version, such as `Shop` for `Shop.xcdatamodeld`.
  package let bundle: String

  /// Returns the definition if it is complete.
  ///
  /// - Throws: `DiagnosticError` with the errors for the missing parts.
  package func complete() throws(DiagnosticError) -> MigrationDefinition {
    guard diagnostics.isEmpty else { throw DiagnosticError(diagnostics) }
    return definition
  }

  /// Reads `xcmapping.xml`.
  ///
  /// - Throws: `XMLError` if the XML can't be parsed, or `DiagnosticError` if it isn't a mapping model or doesn't
  ///   specify both versions.
  package static func read(_ source: XMLSource) throws -> MappingModelReading {
    let root = try XMLReader.read(source, as: .mappingModel)
    let store = CoreDataXMLStore(root, in: source)
    var decoder = MappingModelDecoder(store: store, findings: Findings(source: source))
    guard let reading = decoder.decode(root) else {
      throw DiagnosticError(decoder.findings.diagnostics)
    }
    return reading
  }

  /// Searches the bytes of an invalid mapping model for the names of its versions. Returns nil unless both are found.
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
    return ModelPath.stem(of: LocalPath(path), without: [ModelPath.versionExtension])
  }
}

/// A reason why a mapping model, or a part of it, can't be converted to a migration definition.
enum MappingModelIssue: ModelIssue, Hashable {
  case notAMappingModel(String)
  case noVersion(String)
  case policy(String, entity: String)
  case policyValue(
    String, arguments: [String], policy: String?, property: String, entity: String)
  case unreadable(String, property: String, String)

  var diagnostic: DiagnosticMessage {
    switch self {
    case .notAMappingModel(let root):
      failure(
        "not-a-mapping-model",
        "the root element is '\(root)', so the file isn't a mapping model"
      )
      .helping("specify the .xcmappingmodel folder, or the 'xcmapping.xml' in it")
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
          ? "define it in a migration file: <attribute name=\"\(property)\" value=\"…\"/>"
          : "define it in a migration file, based on \(arguments.joined(separator: ", ")): <attribute name=\"\(property)\" value=\"…\"/>"
      )
    case .unreadable(let what, let property, let entity):
      failure("unknown-expression", "'\(entity).\(property)' has an unknown expression: \(what)")
        .helping("define it in a migration file")
    }
  }

  private func failure(_ code: String, _ message: String) -> DiagnosticMessage {
    DiagnosticMessage(.error, "mapping-model.\(code)", message)
  }
}
