import StoreDiagnostics
package import StoreModel
import StorePredicate

extension MigrationDefinition {
  /// Reads the XML of a migration.
  ///
  /// - Throws: `XMLError` if the XML is malformed, or `DiagnosticError` with all errors that can be found without the
  ///   models.
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

/// Converts XML elements to a `MigrationDefinition`, without knowledge of the models.
struct DefinitionDecoder {
  var findings: Findings

  /// Returns nil and reports an error if the file isn't a migration or doesn't specify the versions.
  mutating func decode(_ root: XMLElement) -> MigrationDefinition? {
    guard root.name == XMLDialect.definition.root else {
      findings.report(DefinitionIssue.wrongRoot(root.name), at: root.spot)
      return nil
    }
    XMLVocabulary.definition.check(root, reportingTo: &findings, as: DefinitionIssue.unknown)
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
      filter: predicate("where", of: element, "in the dropped rows of '\(entity.meaning)'"))
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

  /// Returns a required name, or nil if it is missing or blank, which is reported.
  mutating func requiredName(_ attribute: String, of element: XMLElement) -> Written<String>? {
    if let name = optionalName(attribute, of: element) { return name }
    // A blank name was already reported by `optionalName`.
    if element[attribute] == nil {
      findings.report(
        DefinitionIssue.missing(attribute: attribute, element: element.name), at: element.spot)
    }
    return nil
  }

  /// Returns a name, or nil if the attribute is missing or blank. A blank name is reported.
  mutating func optionalName(_ attribute: String, of element: XMLElement) -> Written<String>? {
    guard let text = element[attribute] else { return nil }
    let spot = element.spot(of: attribute)
    guard !text.isBlank else {
      findings.report(
        DefinitionIssue.missing(attribute: attribute, element: element.name), at: spot)
      return nil
    }
    return Written(text, at: findings.source.place(of: spot))
  }

  /// Returns the predicate in an attribute. Returns nil if the attribute is missing, or if it can't be parsed, which is
  /// reported.
  mutating func predicate(
    _ attribute: String, of element: XMLElement, _ context: String
  ) -> Written<FormatPredicate>? {
    parse(attribute, of: element, context, as: .predicate, with: FormatPredicate.init(parsing:))
  }

  /// Returns the expression in an attribute. Returns nil if the attribute is missing, or if it can't be parsed, which
  /// is reported.
  mutating func expression(
    _ attribute: String, of element: XMLElement, _ context: String
  ) -> Written<FormatExpression>? {
    parse(attribute, of: element, context, as: .expression, with: FormatExpression.init(parsing:))
  }

  private mutating func parse<Meaning>(
    _ attribute: String, of element: XMLElement, _ context: String,
    as kind: PredicateSyntaxError.TextKind,
    with parser: (String) throws(PredicateSyntaxError) -> Meaning
  ) -> Written<Meaning>? {
    guard let value = element[attribute] else { return nil }
    let spot = element.spot(of: attribute)
    let text = PredicateText(value, origin: findings.source.origin(of: spot), context: context)
    do throws(PredicateSyntaxError) {
      var place = findings.source.place(of: spot)
      place.text = text
      return Written(try parser(value), at: place)
    } catch {
      findings.reportLocated(error.diagnostic(in: text, readAs: kind), near: spot)
      return nil
    }
  }
}

extension XMLSource {
  /// Returns the location of `spot` with an excerpt, so that the source isn't required any more.
  func place(of spot: XMLSpot) -> WrittenPlace {
    let range = range(of: spot)
    return WrittenPlace(place(of: range.lowerBound), excerpt: excerpt(at: range))
  }
}

extension String {
  var isBlank: Bool { allSatisfy(\.isWhitespace) }

  /// The text without leading and trailing white space.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
