package import StoreDiagnostics
package import StoreModel
package import StoreModelReader

/// Compiles a model on disk to the Swift source of its types, for `storetool generate` and the build-tool plugin.
package struct ModelCompiler: Sendable {
  package var bundle: ModelBundle
  /// The version whose types are at the top level, or nil for the current one.
  package var version: ModelVersion?
  /// Whether each version also has its own namespace.
  package var includesAllVersions: Bool
  /// The folder of the migration definitions, or nil for the folder beside the models.
  package var migrations: FilePath?
  package var access: AccessLevel
  package var style: SourceStyle
  /// Computes the version hashes of a model by entity, or nil to omit them.
  package var hashing: (@Sendable (Model) -> [String: [UInt8]])?

  package init(
    _ bundle: ModelBundle, version: ModelVersion? = nil, includesAllVersions: Bool = false,
    migrations: FilePath? = nil, access: AccessLevel = .internal, style: SourceStyle = .types,
    hashing: (@Sendable (Model) -> [String: [UInt8]])? = nil
  ) {
    self.bundle = bundle
    self.version = version
    self.includesAllVersions = includesAllVersions
    self.migrations = migrations
    self.access = access
    self.style = style
    self.hashing = hashing
  }

  /// `TodoModel.swift`, because a program can already have a `Todo.swift`, and a module can't contain two files with
  /// one name.
  package var fileName: String { bundle.name + "Model.swift" }

  /// - Throws: `ModelBundleError`; an error of reading a version or a definition.
  package func compile() throws -> GeneratedTypes {
    let top = try version ?? bundle.requireCurrentVersion()
    let skipped = includesAllVersions ? bundle.versions.filter { !$0.isReadable } : []
    let definitions = try definitions()
    let order = bundle.order(by: definitions.jumps).names
    let others =
      includesAllVersions
      ? order.compactMap { name in bundle.versions.first { $0.name == name && $0.isReadable } } : []
    var readings: [String: ModelReading] = [:]
    for version in [top] + others where readings[version.name] == nil {
      readings[version.name] = try version.read()
    }
    func source(of version: ModelVersion) -> SchemaSource.Version? {
      guard let model = readings[version.name]?.model else { return nil }
      let number = order.firstIndex(of: version.name) ?? 0
      return SchemaSource.Version(model: model, hashes: hashing?(model), number: number + 1)
    }
    let fileName = bundle.path.components.last.map { "\($0)" } ?? bundle.name
    let generated = SchemaSource(
      name: bundle.name, fileName: fileName, current: source(of: top),
      namespaced: others.compactMap(source),
      migrations: style == .types ? try definitions.files.map { try $0.read() } : [],
      access: access, style: style
    ).generated()
    let notes = skipped.map {
      Diagnostic(.warning, "generate.no-xml", "the version '\($0.name)' is left out: it isn't XML")
    }
    let findings = generated.findings.map { finding in
      finding.part.flatMap { readings[finding.version]?.locate(finding.diagnostic, at: $0) }
        ?? finding.diagnostic
    }
    return GeneratedTypes(
      text: generated.text,
      diagnostics: definitions.warnings + notes + findings + customStages(definitions))
  }

  /// Returns the definitions, or an empty folder.
  private func definitions() throws -> DefinitionFolder {
    guard includesAllVersions || style == .swiftData else {
      return DefinitionFolder(files: [], faults: [])
    }
    return try DefinitionFolder.find(
      of: bundle, in: migrations ?? bundle.defaultMigrationsFolder)
  }

  private func customStages(_ definitions: DefinitionFolder) -> [Diagnostic] {
    includesAllVersions && style == .swiftData ? definitions.files.map(\.customStage) : []
  }
}

extension DefinitionFile {
  /// The diagnostic for a definition, because a plan only contains lightweight stages.
  fileprivate var customStage: Diagnostic {
    Diagnostic(
      .warning, "generate.custom-stage",
      """
      the stage from '\(from)' to '\(to)' is lightweight in the migration plan, which does not do \
      what this file says
      """, at: SourcePlace(file: "\(path)", line: 1, column: 1)
    ).helping("bring stores there by this migration, or write the stage as .custom by hand")
  }
}

/// Swift source with warnings.
package struct GeneratedTypes: Sendable {
  package var text: String
  package var diagnostics: [Diagnostic]
}
