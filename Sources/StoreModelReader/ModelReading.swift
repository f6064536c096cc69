public import StoreDiagnostics
public import StoreModel

/// A model that was read, with the warnings on the way.
///
/// Faults of fetch-request templates are with the templates: `model.templates[…].faults`.
public struct ModelReading: Sendable {
  public let model: Model
  /// In the order of the file; none is an error.
  public let diagnostics: [Diagnostic]
  /// For the places of names.
  let syntax: ModelSyntax
  let source: XMLSource
}

extension ModelReading {
  /// Reads the XML of one model version.
  ///
  /// - Throws: `XMLFault` when the XML can't be read; `DiagnosticFailure` with all mistakes of the
  ///   model, warnings included, when at least one is an error.
  package static func read(_ source: XMLSource, name: String) throws -> ModelReading {
    let root = try XMLReader.read(source)
    var decoder = ModelDecoder(findings: Findings(source: source))
    let syntax = decoder.decode(root)
    var resolver = ModelResolver(syntax, findings: decoder.findings)
    guard let model = resolver.resolve(name: name) else {
      throw DiagnosticFailure(resolver.findings.diagnostics)
    }
    return ModelReading(
      model: model, diagnostics: resolver.findings.diagnostics, syntax: syntax, source: source)
  }
}
