import StoreDiagnostics
package import StoreModel
import StorePredicate

extension MigrationDefinition {
  /// Reads the XML of a migration.
  ///
  /// - Throws: `XMLError` when the XML can't be read; `DiagnosticError` with all that is wrong with
  ///   the file as far as it shows without the models.
  package init(reading source: XMLSource) throws {
    let root = try XMLReader.read(source, as: .definition)
    var decoder = DefinitionDecoder(findings: Findings(source: source))
    let definition = decoder.decode(root)
    guard let definition, !decoder.findings.hasErrors else {
      throw DiagnosticError(decoder.findings.diagnostics)
    }
    self = definition
  }
}

/// Makes a `MigrationDefinition` of XML elements; knows no model.
struct DefinitionDecoder {
  var findings: Findings

  /// Nil, and reported, where the file is not a migration or does not say between which versions.
  mutating func decode(_ root: XMLElement) -> MigrationDefinition? {
    guard root.name == XMLDialect.definition.root else {
      findings.report(DefinitionIssue.wrongRoot(root.name), at: root.spot)
      return nil
    }
    XMLVocabulary.definition.check(root, reportingTo: &findings, as: DefinitionIssue.init)
    checkText(in: root)
    let from = requiredName("from", of: root)
    let to = requiredName("to", of: root)
    let entities = root.children(named: "entity").compactMap { decodeEntity($0) }
    let drops = root.children(named: "drop").compactMap { decodeDrop($0) }
    let statements = root.children(named: "sql").compactMap { decodeStatement($0) }
    guard let from, let to else { return nil }
    return MigrationDefinition(
      from: from, to: to, entities: entities, drops: drops, statements: statements)
  }

  private mutating func checkText(in element: XMLElement) {
    if element.name != "sql", !element.text.isBlank {
      findings.report(DefinitionIssue.strayText(element: element.name), at: element.spot)
    }
    for child in element.children { checkText(in: child) }
  }

  private mutating func decodeEntity(_ element: XMLElement) -> EntityDefinition? {
    guard let name = requiredName("name", of: element) else { return nil }
    let context = "in entity '\(name.meaning)'"
    var entity = EntityDefinition(
      name: name, source: optionalName("source", of: element),
      filter: predicate("where", of: element, context))
    var lines: [String: Int] = [:]
    for child in element.children {
      guard ["attribute", "relationship"].contains(child.name),
        let property = requiredName("name", of: child)
      else { continue }
      let line = findings.line(of: child.spot)
      if let first = lines.updateValue(line, forKey: property.meaning) {
        let problem = DefinitionIssue.duplicate(
          property.meaning, entity: name.meaning, firstLine: first)
        findings.report(problem, at: child.spot(of: "name"))
      }
      let context = "in '\(name.meaning).\(property.meaning)'"
      if child.name == "attribute" {
        entity.attributes.append(decodeAttribute(child, property, context))
      } else if let destinations = decodeDestinations(child, context) {
        entity.relationships.append(RelationshipDefinition(name: property, destinations))
      }
    }
    return entity
  }

  private mutating func decodeAttribute(
    _ element: XMLElement, _ name: Written<String>, _ context: String
  ) -> AttributeDefinition {
    if element["value"] == nil, element["default"] == nil {
      findings.report(
        DefinitionIssue.missingOne(of: ["value", "default"], element: element.name),
        at: element.spot)
    }
    return AttributeDefinition(
      name: name, value: expression("value", of: element, context),
      fallback: expression("default", of: element, context))
  }

  private mutating func decodeDestinations(
    _ element: XMLElement, _ context: String
  ) -> RelationshipDefinition.Destinations? {
    switch (element["path"], element["match"]) {
    case (nil, nil):
      findings.report(
        DefinitionIssue.missingOne(of: ["path", "match"], element: element.name),
        at: element.spot)
      return nil
    case (_?, _?):
      findings.report(
        DefinitionIssue.both("path", "match", element: element.name),
        at: element.spot(ofName: "match"))
      return nil
    case (_?, nil): return expression("path", of: element, context).map { .path($0) }
    case (nil, _?): return predicate("match", of: element, context).map { .matching($0) }
    }
  }

  private mutating func decodeDrop(_ element: XMLElement) -> DropDefinition? {
    if element["property"] != nil, element["where"] != nil {
      findings.report(
        DefinitionIssue.both("property", "where", element: element.name),
        at: element.spot(ofName: "where"))
    }
    guard let entity = requiredName("entity", of: element) else { return nil }
    return DropDefinition(
      entity: entity, property: optionalName("property", of: element),
      filter: predicate("where", of: element, "in what is dropped of '\(entity.meaning)'"))
  }

  private mutating func decodeStatement(_ element: XMLElement) -> StatementDefinition? {
    if element.text.isBlank { findings.report(DefinitionIssue.emptyStatement, at: element.spot) }
    guard let word = requiredName("when", of: element) else { return nil }
    guard let moment = StatementDefinition.Moment(rawValue: word.meaning) else {
      let known = StatementDefinition.Moment.allCases.map(\.rawValue)
      findings.report(
        DefinitionIssue.unknownWord(word.meaning, attribute: "when", known: known),
        at: element.spot(of: "when"))
      return nil
    }
    let sql = Written(element.text.trimmed, at: findings.source.place(of: element.spot))
    return StatementDefinition(moment, sql)
  }
}
