import StoreDiagnostics
import StoreModel

extension SchemaSource {
  /// Returns the SwiftData classes: either the classes of the current version at the top level, or the classes of all
  /// versions, each in its `VersionedSchema`, with a migration plan.
  func swiftData() -> GeneratedSource {
    var pool = NamePool()
    let units =
      namespaced.isEmpty
      ? [currentUnit(by: .swiftData)].compactMap(\.self)
      : namespacedUnits(by: .swiftData, &pool)
    var hidden = units.reduce(into: Set<String>()) { $0.formUnion($1.names.all) }
    hidden.formUnion(units.flatMap { $0.version.model.composites.map(\.name) })
    var findings: [VersionFinding] = []
    var body = SwiftWriter()
    var plan = MigrationPlan(named: SwiftName.type(name) + "MigrationPlan", access.prefix)
    var previous: DataModel?
    for unit in units {
      var emitter = PersistentModelEmitter(
        unit, after: previous, hidden: hidden, open: access.prefix)
      previous = unit.version.model
      let types = emitter.declarations()
      let finding = plan.add(unit, types, needsInheritance: emitter.hasInheritance)
      findings += emitter.findings + [finding].compactMap(\.self)
      emitter.write(types, into: &body)
    }
    if !namespaced.isEmpty {
      if let current, let unit = units.first(where: { $0.version.model.name == current.model.name })
      {
        plan.writeNames(of: unit, into: &body)
      }
      plan.write(into: &body)
    }
    var out = SwiftWriter()
    writeHead(into: &out, hasUnderscores: hidden.contains { $0.contains("_") })
    let isShown = units.contains { $0.version.model.showsFoundation }
    out.line("\(isShown ? access.prefix : "")import Foundation")
    out.line("\(access.prefix)import SwiftData")
    out.gap()
    return GeneratedSource(text: out.text + body.text, findings: findings.withoutRepetition)
  }
}

extension DataModel {
  /// Whether a stored property has a type of Foundation.
  fileprivate var showsFoundation: Bool {
    (entities.flatMap(\.attributes) + composites.flatMap(\.attributes)).contains { attribute in
      switch attribute.type {
      case .undefined, .objectID, .composite: false
      case .transformable: CustomClass(of: attribute)?.type == nil
      default: attribute.derivation == nil && SwiftType(attribute.type).isFoundation
      }
    }
  }
}
