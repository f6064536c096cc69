package import StoreCodegen
package import StoreDiagnostics
package import StoreModel
package import StoreModelReader

/// A model on disk → the Swift source of its types: what `storetool generate` and the build-tool plugin
/// do.
package struct ModelCompiler: Sendable {
  package var bundle: ModelBundle
  /// The version whose types stand at the top; nil for the current one.
  package var version: ModelVersion?
  /// Each version once more, in a namespace of its own.
  package var includesAllVersions: Bool
  package var access: AccessLevel
  /// Works out the version hashes of a model, entity by entity; nil leaves them out.
  package var hashing: (@Sendable (Model) -> [String: [UInt8]])?

  package init(
    _ bundle: ModelBundle, version: ModelVersion? = nil, includesAllVersions: Bool = false,
    access: AccessLevel = .internal, hashing: (@Sendable (Model) -> [String: [UInt8]])? = nil
  ) {
    self.bundle = bundle
    self.version = version
    self.includesAllVersions = includesAllVersions
    self.access = access
    self.hashing = hashing
  }

  /// `TodoModel.swift`: a program may well have a `Todo.swift` already, and a module no two of one name.
  package var fileName: String { bundle.name + "Model.swift" }

  /// - Throws: `ModelBundleError`; what reading a version throws.
  package func compile() throws -> GeneratedTypes {
    let top = try version ?? bundle.requireCurrentVersion()
    let skipped = includesAllVersions ? bundle.versions.filter { !$0.isReadable } : []
    let others = includesAllVersions ? bundle.versions.filter { $0.isReadable } : []
    var readings: [String: ModelReading] = [:]
    for version in [top] + others where readings[version.name] == nil {
      readings[version.name] = try version.read()
    }
    func source(of version: ModelVersion) -> SchemaSource.Version? {
      guard let model = readings[version.name]?.model else { return nil }
      return SchemaSource.Version(model: model, hashes: hashing?(model))
    }
    let fileName = bundle.path.split(separator: "/").last.map(String.init) ?? bundle.name
    let generated = SchemaSource(
      name: bundle.name, fileName: fileName, current: source(of: top),
      namespaced: others.compactMap(source), access: access
    ).generated()
    let notes = skipped.map {
      Diagnostic(.warning, "generate.no-xml", "the version '\($0.name)' is left out: it is not XML")
    }
    let findings = generated.findings.map { finding in
      readings[finding.version]?.locate(finding.diagnostic, at: finding.part)
        ?? finding.diagnostic
    }
    return GeneratedTypes(text: generated.text, diagnostics: notes + findings)
  }
}

/// Swift source, and the warnings on the way.
package struct GeneratedTypes: Sendable {
  package var text: String
  package var diagnostics: [Diagnostic]
}
