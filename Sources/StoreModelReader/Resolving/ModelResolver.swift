import StoreDiagnostics
import StoreModel

/// The second pass: follows every name, reports each that leads nowhere, and makes the `Model`.
struct ModelResolver {
  let syntax: ModelSyntax
  /// The first entity of each name.
  let entities: [String: EntitySyntax]
  let composites: [String: CompositeSyntax]
  /// For messages.
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

  /// The model, or nil when there are errors; all of them are reported.
  mutating func resolve(name: String) -> Model? {
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
    return Model(
      name: name, versionIdentifiers: [syntax.versionIdentifier],
      entities: syntax.entities.map { resolve($0) },
      templates: syntax.templates.map { resolve($0) }, configurations: configurations,
      composites: syntax.composites.map {
        Composite(name: $0.name.text, attributes: $0.attributes.map(\.attribute))
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

  private mutating func resolve(_ configuration: ConfigurationSyntax) -> Configuration {
    var members: [String] = []
    for member in configuration.members {
      if entities[member.text] == nil {
        findings.report(
          NameIssue.unknownEntity(
            member.text, role: "member entity", known: entityNames),
          at: member.spot)
      } else if members.contains(member.text) {
        findings.report(
          NameIssue.repeatedMember(member.text, configuration: configuration.name.text),
          at: member.spot)
      } else {
        members.append(member.text)
      }
    }
    return Configuration(name: configuration.name.text, entities: members)
  }

  private func resolve(_ syntax: EntitySyntax) -> Entity {
    let entity = syntax.entity
    return Entity(
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

  /// An unknown entity is a fault of the template, not of the model.
  private func resolve(_ request: FetchRequestSyntax) -> FetchRequestTemplate {
    var template = request.template
    if let entity = request.entity, entities[entity.text] == nil {
      let problem = NameIssue.unknownEntity(
        entity.text, role: "entity", known: entityNames)
      template.faults.insert(findings.source.locate(problem.diagnostic, at: entity.spot), at: 0)
    }
    return template
  }
}
