import ModelArchives
public import StoreDiagnostics
public import StoreModel

/// A model that was read, with the warnings on the way.
///
/// Faults of fetch-request templates are with the templates: `model.templates[…].faults`.
public struct ModelReading: Sendable {
  public let model: Model
  /// In the order of the file; none is an error.
  public let diagnostics: [Diagnostic]
  /// For the locations of names; nil for a model that is not XML.
  let xml: XML?
  /// What is not certain of a model that was inferred.
  package var doubts: [Doubt] = []

  /// A sentence about a part of the model, or about the whole of it.
  package struct Doubt: Hashable, Sendable {
    package let part: ModelPart?
    package let text: String

    package init(_ part: ModelPart?, _ text: String) {
      self.part = part
      self.text = text
    }
  }

  /// Where Xcode's editor draws the entities, by name; empty where the file does not say, as since Xcode 14.
  package var frames: [String: EditorFrame] { xml?.syntax.frames ?? [:] }

  struct XML {
    let syntax: ModelSyntax
    let source: XMLSource
  }
}

extension ModelReading {
  /// Reads the XML of one model version.
  ///
  /// - Throws: `XMLError` when the XML can't be read; `DiagnosticError` with all mistakes of the
  ///   model, warnings included, when at least one is an error.
  package static func read(_ source: XMLSource, name: String) throws -> ModelReading {
    let root = try XMLReader.read(source)
    var decoder = ModelDecoder(findings: Findings(source: source))
    let syntax = decoder.decode(root)
    var resolver = ModelResolver(syntax, findings: decoder.findings)
    guard let model = resolver.resolve(name: name) else {
      throw DiagnosticError(resolver.findings.diagnostics)
    }
    return ModelReading(
      model: model, diagnostics: resolver.findings.diagnostics,
      xml: XML(syntax: syntax, source: source))
  }
  /// Reads the archive of one compiled version.
  ///
  /// - Throws: `CompiledModelFailure`, with the file's path, when it is no such archive.
  static func read(compiled bytes: [UInt8], of path: FilePath, name: String) throws -> ModelReading
  {
    let decoded = try CompiledModel.decode(bytes, name: name)
    return ModelReading(model: decoded.model, diagnostics: decoded.diagnostics, xml: nil)
  }
}
