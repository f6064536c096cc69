package import StoreDiagnostics
package import StoreModel
import StorePredicate

extension MappingInference {
  /// Infers a mapping, and applies a definition to it.
  ///
  /// An `<entity>` element also applies to sub-entities, whose own elements have precedence. The mappings between other
  /// entities are inferred.
  ///
  /// - Throws: `DiagnosticError` with all mismatches between the definition and the two models.
  package static func infer(
    _ pairing: ModelPairing, with definition: MigrationDefinition
  ) throws(DiagnosticError) -> ModelMapping {
    try put(definition, over: infer(pairing), of: pairing)
  }

  /// Applies a definition to an inferred mapping.
  ///
  /// - Throws: `DiagnosticError` with all mismatches between the definition and the two models.
  static func put(
    _ definition: MigrationDefinition, over inferred: ModelMapping, of pairing: ModelPairing
  ) throws(DiagnosticError) -> ModelMapping {
    var checker = DefinitionChecker(
      pairing: pairing, inferred: inferred, definition: definition)
    let mapping = checker.mapping()
    guard checker.diagnostics.isEmpty else { throw DiagnosticError(checker.inOrder) }
    return mapping
  }
}

/// Checks a definition against both models, and applies it.
struct DefinitionChecker {
  let pairing: ModelPairing
  let inferred: ModelMapping
  let definition: MigrationDefinition
  private(set) var diagnostics: [DiagnosticMessage] = []
  /// The checked `<entity>` elements, in the order of the definition.
  var lines: [DefinedLine] = []
  /// The entities between which rows move.
  var routes: [EntityRoute] = []

  var source: DataModel { pairing.source }
  var target: DataModel { pairing.target }

  mutating func report(_ mistake: DefinitionMismatch, at place: WrittenPlace) {
    diagnostics.append(place.locate(mistake.diagnostic))
  }

  mutating func report(_ diagnostic: DiagnosticMessage) { diagnostics.append(diagnostic) }

  /// The diagnostics, sorted by line and column.
  var inOrder: [DiagnosticMessage] {
    diagnostics.enumerated().sorted { one, other in
      let places = (one.element.place, other.element.place)
      return (places.0?.line ?? 0, places.0?.column ?? 0, one.offset)
        < (places.1?.line ?? 0, places.1?.column ?? 0, other.offset)
    }.map(\.element)
  }

  mutating func mapping() -> ModelMapping {
    for entity in definition.entities { addLine(entity) }
    findRoutes(inferred)
    let drops = definition.drops.flatMap { drop($0) }
    for index in lines.indices { checkProperties(ofLine: index) }
    checkSides()
    var mapping = ModelMapping(from: source, to: target, entities: routes.compactMap(entityMapping))
    clearInverses(in: &mapping)
    mapping.definition = DefinedParts(
      before: statements(.before), after: statements(.after),
      allowedLosses: Set(drops))
    return mapping
  }

  private func statements(_ moment: StatementDefinition.Moment) -> [Written<String>] {
    definition.statements.filter { $0.moment == moment }.map(\.sql)
  }

  /// Returns nil if the source entity is abstract, because it has no rows.
  private func entityMapping(_ route: EntityRoute) -> EntityMapping? {
    guard let old = source.entity(named: route.source), let new = target.entity(named: route.target)
    else { return nil }
    let known = inferred.entities.first { $0.source == old.name && $0.target == new.name }
    func infer() -> EntityMapping? {
      MappingInference.infer(
        EntityPair(from: old, in: source, to: new, in: target), in: pairing)
    }
    guard var mapping = known ?? infer() else { return nil }
    for line in lines(of: route) { line.put(over: &mapping) }
    mapping.filter = route.dropped.reduce(mapping.filter) { .conjunction($0, $1.isNotTrue) }
    return mapping
  }

  /// Returns the `<entity>` elements that apply to the rows of a route, the most general element first.
  func lines(of route: EntityRoute) -> [DefinedLine] {
    guard let old = source.entity(named: route.source), let new = target.entity(named: route.target)
    else { return [] }
    func depth(_ line: DefinedLine) -> Int {
      target.ancestors(of: line.target).count + source.ancestors(of: line.source).count
    }
    return lines.filter { line in
      let isExact = line.source.name == old.name && line.target.name == new.name
      if isExact { return line.index == route.line }
      return source.isKind(old, of: line.source) && target.isKind(new, of: line.target)
    }.enumerated().sorted { (depth($0.element), $0.offset) < (depth($1.element), $1.offset) }
      .map(\.element)
  }
}

/// A pair of entities: rows of the source become rows of the target.
struct EntityRoute: Hashable {
  var source: String
  var target: String
  /// The index in `lines` of the element that defines the route; nil if the route is inferred.
  var line: Int?
  /// Rows that satisfy one of these conditions are dropped.
  var dropped: [TypedPredicate] = []
}

/// A checked `<entity>` element of a definition.
struct DefinedLine {
  /// The index in `DefinitionChecker.lines`.
  let index: Int
  let definition: EntityDefinition
  let source: EntityDescription
  let target: EntityDescription
  var filter: TypedPredicate?
  /// The defined values, by the attribute's name or path.
  var attributes: [String: DefinedValue] = [:]
  var relationships: [String: RelationshipOrigin] = [:]

  func put(over mapping: inout EntityMapping) {
    if let filter { mapping.filter = filter }
    for (name, value) in attributes {
      let inferred = mapping.attributes[name] ?? .nothing
      let fallback = value.fallback ?? inferred.fallback
      mapping.attributes[name] = AttributeOrigin(
        value.source ?? inferred.source, fallback: fallback == .null ? nil : fallback)
    }
    for (name, origin) in relationships { mapping.relationships[name] = origin }
  }
}

/// The checked definition of an attribute's value.
struct DefinedValue: Hashable {
  /// The source of the value; nil if it is inferred.
  var source: AttributeOrigin.Source?
  /// The default; nil if it is inferred, `.null` if the attribute has no default.
  var fallback: DataValue?
}
