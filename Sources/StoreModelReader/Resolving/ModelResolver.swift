import StoreDiagnostics
import StoreModel

/// The second pass, after `ModelDecoder`: looks up all names, reports unknown names, and creates the `DataModel`.
struct ModelResolver {
  let syntax: ModelSyntax
  /// The entities by name. If a name is repeated, its first entity is used.
  let entities: [String: EntitySyntax]
  let composites: [String: CompositeSyntax]
  /// The names of all entities, for messages.
  let entityNames: [String]
  var findings: Findings

  init(_ syntax: ModelSyntax, findings: Findings) {
    self.syntax = syntax
    self.findings = findings
    let named = syntax.entities.filter { !$0.name.text.isEmpty }
    entities = Dictionary(named.map { ($0.name.text, $0) }) { first, _ in first }
    entityNames = entities.keys.sorted()
    composites = Dictionary(syntax.composites.map { ($0.name.text, $0) }) { first, _ in first }
  }

  /// Returns the model, or nil if there are errors. The errors are added to `findings`.
  mutating func resolve(name: String) -> DataModel? {
    checkNames(syntax.entities.map(\.name), kind: "entity")
    checkIdentifiers(
      syntax.entities.map { ($0.name, $0.entity.renamingIdentifier) }, kind: "entity")
    checkNames(syntax.composites.map(\.name), kind: "composite")
    checkNames(syntax.configurations.map(\.name), kind: "configuration")
    checkNames(syntax.templates.map(\.name), kind: "fetch request")
    guard checkDepth() else { return nil }
    checkParents()
    checkComposites()
    for entity in syntax.entities { check(entity) }
    checkTwinColumns()
    let configurations = syntax.configurations.map { resolve($0) }
    guard !findings.hasErrors else { return nil }
    return DataModel(
      name: name, versionIdentifiers: [syntax.versionIdentifier],
      entities: syntax.entities.map { resolve($0) },
      templates: syntax.templates.map { resolve($0) }, configurations: configurations,
      composites: syntax.composites.map {
        CompositeDescription(name: $0.name.text, attributes: $0.attributes.map(\.attribute))
      })
  }

  private mutating func check(_ entity: EntitySyntax) {
    checkPropertyNames(of: entity)
    checkIdentifiers(
      entity.attributes.map { ($0.name, $0.attribute.renamingIdentifier) }, kind: "attribute",
      owner: entity.name.text)
    checkIdentifiers(
      entity.relationships.map { ($0.name, $0.relationship.renamingIdentifier) },
      kind: "relationship", owner: entity.name.text)
    checkCompositeNames(of: entity.attributes)
    for relationship in entity.relationships { check(relationship, of: entity) }
    checkIndexes(of: entity)
    checkConstraints(of: entity)
  }

  private mutating func resolve(_ configuration: ConfigurationSyntax) -> ConfigurationDescription {
    var members: [String] = []
    var known: Set<String> = []
    for member in configuration.members {
      guard requireEntity(member, role: "member entity") != nil else { continue }
      if known.insert(member.text).inserted {
        members.append(member.text)
      } else {
        findings.report(
          NameIssue.repeatedMember(member.text, configuration: configuration.name.text),
          at: member.spot)
      }
    }
    return ConfigurationDescription(name: configuration.name.text, entities: members)
  }

  private func resolve(_ syntax: EntitySyntax) -> EntityDescription {
    let entity = syntax.entity
    return EntityDescription(
      name: entity.name, parent: syntax.parent?.text, isAbstract: entity.isAbstract,
      className: entity.className, codeGeneration: entity.codeGeneration,
      attributes: syntax.attributes.map(\.attribute),
      relationships: syntax.relationships.map(\.relationship),
      fetchedProperties: syntax.fetchedProperties.map {
        FetchedProperty(name: $0.name.text, request: resolve($0.request), userInfo: $0.userInfo)
      },
      indexes: syntax.indexes.map(\.index),
      uniquenessConstraints: syntax.uniquenessConstraints.map { $0.map(\.text) },
      renamingIdentifier: entity.renamingIdentifier,
      versionHashModifier: entity.versionHashModifier, userInfo: entity.userInfo)
  }

  /// Returns the template of a fetch request. If its entity is unknown, adds an error to the template's `faults`, so
  /// that the model remains valid.
  private func resolve(_ request: FetchRequestSyntax) -> FetchRequestTemplate {
    var template = request.template
    if let entity = request.entity, entities[entity.text] == nil {
      let problem = NameIssue.unknownEntity(
        entity.text, role: "entity", known: entityNames)
      template.faults.insert(findings.source.locate(problem.diagnostic, at: entity.spot), at: 0)
    }
    return template
  }

  mutating func checkIndexes(of entity: EntitySyntax) {
    checkNames(entity.indexes.compactMap(\.name), kind: "index", owner: entity.name.text)
    for index in entity.indexes {
      let role = index.name.map { "index '\($0.text)'" } ?? "a compound index"
      checkProperties(index.properties, of: entity, role: role)
    }
  }

  mutating func checkConstraints(of entity: EntitySyntax) {
    for constraint in entity.uniquenessConstraints {
      checkProperties(constraint, of: entity, role: "a uniqueness constraint")
    }
  }

  private mutating func checkProperties(
    _ names: [PlacedName], of entity: EntitySyntax, role: String
  ) {
    guard !names.isEmpty else { return }
    let known = knownProperties(of: entity)
    for name in names where !known.contains(name.text) {
      findings.report(
        NameIssue.unknownProperty(
          name.text, entity: entity.name.text, role: role, known: known),
        at: name.spot)
    }
  }

  mutating func checkComposites() {
    for composite in syntax.composites {
      checkNames(
        composite.attributes.map(\.name), kind: "attribute", owner: composite.name.text)
      checkCompositeNames(of: composite.attributes)
    }
    // Reports composites that contain themselves, directly or indirectly, and composites that exceed the limits.
    var known: [String: CompositeExtent] = [:]
    for composite in syntax.composites { _ = measure(composite, path: [], known: &known) }
  }

  mutating func checkCompositeNames(of attributes: [AttributeSyntax]) {
    for name in attributes.compactMap(\.composite) where composites[name.text] == nil {
      findings.report(
        NameIssue.unknownComposite(name.text, known: composites.keys.sorted()), at: name.spot)
    }
  }

  /// The maximum number of levels of nested composites, and the maximum number of attributes of a composite and the
  /// composites in it. The number of attributes can double with each level, and SQLite supports at most 2000 columns in
  /// a table by default.
  static let compositeLimits = CompositeExtent(levels: 16, attributes: 2000)

  /// The size of a composite and the composites in it.
  struct CompositeExtent {
    var levels = 1
    var attributes = 0
  }

  private mutating func measure(
    _ composite: CompositeSyntax, path: [String], known: inout [String: CompositeExtent]
  ) -> CompositeExtent {
    let (name, limits) = (composite.name.text, Self.compositeLimits)
    if let extent = known[name] { return extent }
    let path = path + [name]
    var extent = CompositeExtent()
    for attribute in composite.attributes {
      guard let member = attribute.composite else {
        extent.attributes += 1
        continue
      }
      if let start = path.firstIndex(of: member.text) {
        let cycle = Array(path[start...]) + [member.text]
        findings.report(NameIssue.compositeCycle(cycle), at: member.spot)
      } else if let next = composites[member.text] {
        // A composite that is nested too deeply isn't measured.
        let inner =
          path.count > limits.levels
          ? CompositeExtent(levels: limits.levels)
          : measure(next, path: path, known: &known)
        extent.levels = max(extent.levels, inner.levels + 1)
        extent.attributes += inner.attributes
      }
    }
    if extent.levels > limits.levels || extent.attributes > limits.attributes {
      findings.report(
        NameIssue.compositeTooLarge(
          name, levels: limits.levels, attributes: limits.attributes), at: composite.name.spot)
      // With this extent, the issue isn't reported again for the composites that contain this one.
      extent = CompositeExtent()
    }
    known[name] = extent
    return extent
  }
}
