import StoreDiagnostics
import StoreModel

extension SchemaSource {
  /// Returns structures for storetool's libraries.
  func plainTypes() -> GeneratedSource {
    let units = units()
    var findings: [VersionFinding] = []
    let hidden = units.reduce(into: Set<String>()) { $0.formUnion($1.names.all) }
    var body = SwiftWriter()
    var needsFoundation = false
    for unit in units {
      var emitter = UnitEmitter(
        unit, types: TypeNames(hidden: hidden), access: access, isCodable: isCodable)
      emitter.emit(into: &body)
      needsFoundation = needsFoundation || emitter.needsFoundation
      findings += emitter.findings
    }
    var out = SwiftWriter()
    header(
      &out, needsFoundation: needsFoundation, hasUnderscores: hidden.contains { $0.contains("_") })
    return GeneratedSource(text: out.text + body.text, findings: findings.withoutRepetition)
  }

  private func units() -> [Unit] {
    var pool = NamePool(taken: ["Templates"])
    var current = currentUnit(by: .types)
    current?.names.all.forEach { _ = pool.take($0) }
    let others = namespacedUnits(by: .types, &pool)
    if !others.isEmpty {
      current?.history = Unit.History(
        schemas: others.map(\.names.schema), migrations: migrations)
    }
    return [current].compactMap(\.self) + others
  }

  /// Returns the current version, whose declarations are at the top level.
  func currentUnit(by rules: NamingRules) -> Unit? {
    current.map { version in
      let names = ModelNames(of: version.model, schema: modelName, by: rules)
      return Unit(version: version, names: names, isNamespaced: false)
    }
  }

  /// Returns the namespaced versions, whose schemas have names from the pool.
  func namespacedUnits(by rules: NamingRules, _ pool: inout NamePool) -> [Unit] {
    namespaced.map { version in
      let schema = pool.take(namespace(of: version.model.name))
      let names = ModelNames(of: version.model, schema: schema, by: rules)
      return Unit(version: version, names: names, isNamespaced: true)
    }
  }

  private func header(_ out: inout SwiftWriter, needsFoundation: Bool, hasUnderscores: Bool) {
    writeHead(into: &out, hasUnderscores: hasUnderscores)
    out.line(.text("\(access.prefix)import StoreModel"))
    out.gap()
    guard needsFoundation else { return }
    out.line("#if canImport(FoundationEssentials)")
    out.line(.text("  \(access.prefix)import FoundationEssentials"))
    out.line("#else")
    out.line(.text("  \(access.prefix)import Foundation"))
    out.line("#endif")
    out.gap()
  }
}

/// A version of the model, with the names of its declarations in the generated file.
struct Unit {
  var version: SchemaSource.Version
  var names: ModelNames
  /// Whether the other declarations of the version are nested in its schema.
  var isNamespaced: Bool
  /// All versions and migrations. It is nil unless this is the current version and the other versions are included.
  var history: History?

  struct History {
    /// The names of the versions' schemas, older ones first.
    var schemas: [String]
    var migrations: [MigrationDefinition]
  }
}
