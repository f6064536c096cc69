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
  /// The folder of the migration definitions, or nil for `bundle.defaultMigrationsFolder`.
  package var migrations: LocalPath?
  package var access: AccessLevel
  package var style: SourceStyle
  /// Whether the structures and enumerations of the style `types` conform to `Codable`.
  package var isCodable: Bool
  /// Returns the version hashes of a model's entities, by the entity's name. If it is nil, the generated code doesn't
  /// contain hashes.
  package var hashing: (@Sendable (DataModel) -> [String: [UInt8]])?

  package init(
    _ bundle: ModelBundle, version: ModelVersion? = nil, includesAllVersions: Bool = false,
    migrations: LocalPath? = nil, access: AccessLevel = .internal, style: SourceStyle = .types,
    isCodable: Bool = false,
    hashing: (@Sendable (DataModel) -> [String: [UInt8]])? = nil
  ) {
    self.bundle = bundle
    self.version = version
    self.includesAllVersions = includesAllVersions
    self.migrations = migrations
    self.access = access
    self.style = style
    self.isCodable = isCodable
    self.hashing = hashing
  }

  /// The name of the generated file, such as `TodoModel.swift`. It isn't `Todo.swift`, because the program can already
  /// have such a file, and a module can't contain two files with the same name.
  package var fileName: String { bundle.name + "Model.swift" }

  /// Generates the Swift source.
  ///
  /// - Throws: `ModelBundleError` if the current version is unknown or a file can't be read, or another
  ///   `DiagnosableError` if a version or a definition isn't valid.
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
      access: access, style: style, isCodable: isCodable
    ).generated()
    let notes = skipped.map {
      DiagnosticMessage(
        .warning, "generate.no-xml", "the version '\($0.name)' is omitted, because it has no XML")
    }
    let findings = generated.findings.map { finding in
      finding.part.flatMap { readings[finding.version]?.locate(finding.diagnostic, at: $0) }
        ?? finding.diagnostic
    }
    return GeneratedTypes(
      text: generated.text,
      diagnostics: definitions.warnings + notes + findings
        + (includesAllVersions && style == .swiftData ? definitions.files.map(\.customStage) : []))
  }

  /// Returns the migration definitions, or an empty folder if the generated code doesn't depend on them.
  private func definitions() throws -> DefinitionFolder {
    guard includesAllVersions || style == .swiftData else {
      return DefinitionFolder(files: [], faults: [])
    }
    return try DefinitionFolder.find(
      of: bundle, in: migrations ?? bundle.defaultMigrationsFolder)
  }
}

extension DefinitionFile {
  /// A warning that the migration plan doesn't use the definition, because the plan contains only lightweight stages.
  fileprivate var customStage: DiagnosticMessage {
    DiagnosticMessage(
      .warning, "generate.custom-stage",
      """
      the stage from '\(from)' to '\(to)' is lightweight in the migration plan, so it doesn't apply \
      this definition
      """, at: SourcePlace(file: "\(path)", line: 1, column: 1)
    ).helping("migrate stores with storetool, or write a .custom stage by hand")
  }
}

/// Swift source with warnings.
package struct GeneratedTypes: Sendable {
  package var text: String
  package var diagnostics: [DiagnosticMessage]
}
