import StoreDiagnostics
import StoreModel

/// The `SchemaMigrationPlan` of a model's versions, with older versions first.
struct MigrationPlan {
  private let name: String
  private let open: String
  private var versions: [(unit: Unit, types: SwiftWriter)] = []
  private var needsInheritance = false

  init(named name: String, _ open: String) {
    self.name = name
    self.open = open
  }

  /// Adds a version. If its types equal the types of the version that was added last, returns a warning instead.
  ///
  /// - Parameter types: the generated code of the version's types.
  mutating func add(
    _ unit: Unit, _ types: SwiftWriter, needsInheritance: Bool
  ) -> VersionFinding? {
    self.needsInheritance = self.needsInheritance || needsInheritance
    guard let last = versions.last, last.types == types else {
      versions.append((unit, types))
      return nil
    }
    let version = unit.version.model.name
    return VersionFinding(
      version: version, part: nil,
      diagnostic: DiagnosticMessage(
        .warning, "generate.swift-data",
        """
        the version '\(version)' isn't in the migration plan, because its SwiftData schema is the \
        same as that of '\(last.unit.version.model.name)'
        """))
  }

  /// Writes aliases such as `typealias Item = ShopV2.Item` for the current version.
  func writeNames(of unit: Unit, into out: inout SwiftWriter) {
    out.gap()
    out.comment("The version in use.")
    for entity in unit.version.model.entities {
      let type = unit.names.type(of: entity.name)
      writeAvailability(into: &out)
      out.line("\(open)typealias \(type) = \(unit.names.schema).\(type)")
    }
  }

  func write(into out: inout SwiftWriter) {
    let schemas = versions.map(\.unit.names.schema)
    out.gap()
    writeAvailability(into: &out)
    out.block("\(open)enum \(name): SchemaMigrationPlan") { out in
      out.block(
        "\(open)static var schemas: [any VersionedSchema.Type]",
        returning: .array(schemas.map { "\($0).self" }))
      out.gap()
      out.block(
        "\(open)static var stages: [MigrationStage]",
        returning: .array(
          zip(schemas, schemas.dropFirst()).map { from, to in
            .call(".lightweight", ["fromVersion: \(from).self", "toVersion: \(to).self"])
          }))
    }
  }

  private func writeAvailability(into out: inout SwiftWriter) {
    if needsInheritance { out.line(.text(PersistentModelEmitter.inheritanceAvailability)) }
  }
}
