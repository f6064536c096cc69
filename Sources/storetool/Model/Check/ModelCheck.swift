import StoreDiagnostics
import StoreImport
import StoreModel
import StoreModelReader
import StorePredicate

/// All findings of `model check` in the available models.
struct ModelCheck {
  private(set) var findings: [DiagnosticMessage] = []
  private var ignoredCount = 0
  private var modelCount = 0
  private var versionCount = 0

  /// - Parameters:
  ///   - version: The only version to check; nil to check all versions, the lock files and the migrations.
  ///   - oldest: The oldest version whose stores must be able to migrate to the current one; nil for all.
  ///   - migrations: Returns the folder of a model's lock file and definitions.
  /// - Throws: An error if there is no model, or no version with this name.
  init(
    _ workspace: Workspace, version: String?, since oldest: String? = nil,
    migrations: (ModelBundle) -> LocalPath
  ) throws {
    let bundles = try workspace.bundles()
    if let oldest { _ = try bundles.having(oldest) }
    for bundle in bundles {
      modelCount += 1
      findings += bundle.currentVersionFindings
      var readings: [(ModelVersion, ModelReading)] = []
      for version in try version.map({ [try bundle.version(named: $0)] }) ?? bundle.versions {
        versionCount += 1
        if let reading = read(version) { readings.append((version, reading)) }
      }
      guard version == nil else { continue }
      findings += try VersionCheck(
        bundle: bundle, readings: readings, migrations: migrations(bundle), oldest: oldest
      ).findings()
    }
  }

  /// The summary, such as `2 models, 3 versions: 1 error, 0 warnings`.
  var summary: String {
    let errors = findings.count { $0.severity == .error }
    let warnings = findings.count { $0.severity == .warning }
    let ignored = ignoredCount > 0 ? ", \(ignoredCount) ignored" : ""
    return """
      \(modelCount.counted("model")), \(versionCount.counted("version")): \
      \(errors.counted("error")), \(warnings.counted("warning"))\(ignored)
      """
  }

  /// Removes the findings whose codes are ignored.
  ///
  /// - Parameters:
  ///   - codes: The codes of `--ignore`.
  ///   - accepted: The codes that the settings file ignores. They don't have to occur.
  /// - Returns: A note for each of `codes` that doesn't occur.
  mutating func ignore(_ codes: [IgnoredCode], besides accepted: [IgnoredCode])
    -> [DiagnosticMessage]
  {
    let all = findings
    let ignored = codes + accepted
    findings = all.filter { finding in !ignored.contains { $0.covers(finding.code) } }
    ignoredCount = all.count - findings.count
    return codes.filter { code in !all.contains { code.covers($0.code) } }.map {
      DiagnosticMessage(.note, "ignore.unused", "the ignored code '\($0.text)' doesn't occur")
    }
  }

  /// Reads a version, and adds its findings. Returns nil if the version can't be read.
  private mutating func read(_ version: ModelVersion) -> ModelReading? {
    do {
      let reading = try version.read()
      findings += reading.diagnostics + reading.derivationFindings + reading.indexFindings
      let model = reading.model
      findings += (model.templates + model.fetchedPropertyTemplates)
        .flatMap { $0.findings(in: model) }
      findings += model.importKeyFindings.map { reading.locate($0.diagnostic, at: $0.part) }
      return reading
    } catch {
      findings += [DiagnosticMessage](explaining: error)
      return nil
    }
  }
}

extension ModelBundle {
  /// Warnings about an unknown current version; empty if it is known.
  fileprivate var currentVersionFindings: [DiagnosticMessage] {
    switch current {
    case .declared, .only: return []
    case .undeclared, .missing, .unreadable:
      return ModelBundleError.noCurrentVersion(self).diagnostics.map { $0.with(.warning) }
    }
  }
}
