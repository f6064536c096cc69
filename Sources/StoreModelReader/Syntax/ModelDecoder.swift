import StoreDiagnostics
import StoreModel
import StorePredicate

/// Converts XML elements to `ModelSyntax`. It decodes keywords, numbers and types, but doesn't check whether the
/// referenced entities and properties exist.
struct ModelDecoder {
  var findings: Findings

  mutating func decode(_ root: XMLElement) -> ModelSyntax {
    guard root.name == "model" else {
      findings.report(ShapeIssue.wrongRoot(root.name), at: root.spot)
      return ModelSyntax()
    }
    XMLVocabulary.model.check(root, reportingTo: &findings, as: ShapeIssue.unknown)
    var syntax = ModelSyntax()
    syntax.versionIdentifier = root["userDefinedModelVersionIdentifier"] ?? ""
    for child in root.children {
      switch child.name {
      case "entity": syntax.entities.append(decodeEntity(child))
      case "fetchRequest": syntax.templates.append(decodeFetchRequest(child, of: nil))
      case "configuration": syntax.configurations.append(decodeConfiguration(child))
      case "composite": syntax.composites.append(decodeComposite(child))
      case "elements": syntax.frames = decodeFrames(child)
      default: continue
      }
    }
    return syntax
  }

  private mutating func decodeConfiguration(_ element: XMLElement) -> ConfigurationSyntax {
    let name = ownName(of: element)
    let members = element.children(named: "memberEntity")
    return ConfigurationSyntax(
      name: name, members: members.compactMap { requiredName("name", of: $0) })
  }

  private mutating func decodeComposite(_ element: XMLElement) -> CompositeSyntax {
    let name = ownName(of: element)
    let attributes = element.children(named: "attribute")
    return CompositeSyntax(
      name: name, attributes: attributes.map { decodeAttribute($0, of: name.text) })
  }

  /// Returns the positions of entities in Xcode's editor, by the entity's name. Invalid positions are ignored.
  func decodeFrames(_ elements: XMLElement) -> [String: EditorFrame] {
    let frames = elements.children(named: "element").compactMap { element in
      element["name"].flatMap { name in frame(of: element).map { (name, $0) } }
    }
    return Dictionary(frames) { first, _ in first }
  }

  private func frame(of element: XMLElement) -> EditorFrame? {
    let numbers = ["positionX", "positionY", "width", "height"].compactMap {
      element[$0].flatMap { Double($0) }
    }
    guard numbers.count == 4 else { return nil }
    return EditorFrame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// Parses the attribute `predicateString` and sets the predicate of the template. A syntax error is added to the
  /// findings, which become `faults` of the template.
  mutating func readPredicate(
    of element: XMLElement, into template: inout FetchRequestTemplate, context: String
  ) {
    let attribute = "predicateString"
    let text = predicateText(attribute, of: element, context: context)
    template.predicateText = text
    do throws(PredicateSyntaxError) {
      template.predicate = try FormatPredicate(parsing: text.text)
    } catch {
      findings.reportLocated(error.diagnostic(in: text), near: element.spot(of: attribute))
    }
  }

  /// Parses an expression. Returns nil and reports the error if it isn't valid.
  mutating func parseExpression(_ text: PredicateText, near spot: XMLSpot) -> FormatExpression? {
    do throws(PredicateSyntaxError) {
      return try FormatExpression(parsing: text.text)
    } catch {
      findings.reportLocated(error.diagnostic(in: text, readAs: .expression), near: spot)
      return nil
    }
  }

  func predicateText(
    _ attribute: String, of element: XMLElement, context: String
  ) -> PredicateText {
    PredicateText(
      element[attribute] ?? "", origin: findings.source.origin(of: element.spot(of: attribute)),
      context: context)
  }

  mutating func decodeEntity(_ element: XMLElement) -> EntitySyntax {
    let name = ownName(of: element)
    let entity = EntityDescription(
      name: name.text, isAbstract: flag("isAbstract", of: element),
      className: text("representedClassName", of: element),
      codeGeneration: text("codeGenerationType", of: element),
      renamingIdentifier: text("elementID", of: element),
      versionHashModifier: text("versionHashModifier", of: element),
      userInfo: userInfo(of: element))
    var syntax = EntitySyntax(
      name: name, parent: optionalName("parentEntity", of: element), entity: entity)
    for child in element.children { decodeProperty(child, into: &syntax) }
    return syntax
  }

  private mutating func decodeProperty(_ child: XMLElement, into syntax: inout EntitySyntax) {
    let owner = syntax.name.text
    switch child.name {
    case "attribute":
      syntax.attributes.append(decodeAttribute(child, of: owner))
    case "relationship":
      syntax.relationships.append(decodeRelationship(child))
    case "fetchedProperty":
      if let fetched = decodeFetchedProperty(child) { syntax.fetchedProperties.append(fetched) }
    case "fetchIndex":
      syntax.indexes.append(decodeFetchIndex(child, of: owner))
    case "compoundIndexes":
      for index in child.children(named: "compoundIndex") {
        syntax.indexes.append(decodeCompoundIndex(index))
      }
    case "uniquenessConstraints":
      for constraint in child.children(named: "uniquenessConstraint") {
        let names = constraint.children(named: "constraint")
          .compactMap { requiredName("value", of: $0) }
        if !names.isEmpty { syntax.uniquenessConstraints.append(names) }
      }
    default: return
    }
  }

  mutating func decodeRelationship(_ element: XMLElement) -> RelationshipSyntax {
    let name = ownName(of: element)
    let destination = requiredName("destinationEntity", of: element)
    let cardinality = decodeCardinality(of: element, named: name.text)
    let relationship = RelationshipDescription(
      name: name.text, destination: destination?.text ?? "",
      inverse: text("inverseName", of: element),
      cardinality: cardinality,
      isOptional: flag("optional", of: element), isTransient: flag("transient", of: element),
      minimumCount: integer("minCount", of: element),
      maximumCount: integer("maxCount", of: element),
      isOrderedToOne: cardinality == .toOne && flag("ordered", of: element),
      deleteRule: word("deletionRule", of: element, among: Self.deleteRules) ?? .nullify,
      isIndexed: flag("indexed", of: element), renamingIdentifier: text("elementID", of: element),
      versionHashModifier: text("versionHashModifier", of: element),
      userInfo: userInfo(of: element))
    return RelationshipSyntax(
      name: name, destination: destination, inverse: optionalName("inverseName", of: element),
      inverseEntity: optionalName("inverseEntity", of: element), relationship: relationship)
  }

  private static let deleteRules = RelationshipDescription.DeleteRule.allCases.map {
    (name: $0.rawValue, $0)
  }

  private mutating func decodeCardinality(
    of element: XMLElement, named name: String
  ) -> RelationshipDescription.Cardinality {
    let isOrdered = flag("ordered", of: element)
    if flag("toMany", of: element) { return .toMany(ordered: isOrdered) }
    if isOrdered {
      findings.report(RelationshipIssue.orderedToOne(name), at: element.spot(of: "ordered"))
    }
    return .toOne
  }

  mutating func decodeFetchedProperty(_ element: XMLElement) -> FetchedPropertySyntax? {
    let name = ownName(of: element)
    guard let child = element.children(named: "fetchRequest").first else {
      findings.report(ShapeIssue.noFetchRequest(name.text), at: element.spot)
      return nil
    }
    let request = decodeFetchRequest(child, of: name.text)
    return FetchedPropertySyntax(name: name, request: request, userInfo: userInfo(of: element))
  }

  /// Decodes a `<fetchIndex>`, which Xcode 9 and later write.
  ///
  /// - Parameter owner: The name of the entity.
  mutating func decodeFetchIndex(_ element: XMLElement, of owner: String) -> IndexSyntax {
    let name = ownName(of: element)
    let condition = text("partialIndexPredicate", of: element)
    let context = "in index '\(owner).\(name.text)'"
    var syntax = IndexSyntax(
      name: name, properties: [],
      condition: condition.map { _ in
        predicateText("partialIndexPredicate", of: element, context: context)
      },
      index: FetchIndex(name: name.text, elements: [], partialPredicate: condition))
    for child in element.children(named: "fetchIndexElement") {
      guard let target = decodeTarget(of: child, addingTo: &syntax.properties) else { continue }
      if case .expression = target {
        syntax.expressions.append(predicateText("expression", of: child, context: context))
      }
      let kind = word("type", of: child, among: Self.kinds) ?? .binary
      let isAscending = word("order", of: child, among: Self.orders) ?? true
      syntax.index.elements.append(.init(target, kind: kind, isAscending: isAscending))
    }
    return syntax
  }

  private static let kinds = [FetchIndex.Element.Kind.binary, .rTree].map {
    (name: $0.rawValue, $0)
  }

  private static let orders = [(name: "ascending", true), ("descending", false)]

  private mutating func decodeTarget(
    of element: XMLElement, addingTo properties: inout [PlacedName]
  ) -> FetchIndex.Element.Target? {
    if let text = text("expression", of: element) {
      let types = AttributeType.named.map { (name: $0.name, $0.type) }
      return .expression(
        text, type: word("expressionType", of: element, among: types) ?? .undefined)
    }
    guard let property = requiredName("property", of: element) else { return nil }
    properties.append(property)
    return .property(property.text)
  }

  /// Decodes a `<compoundIndex>`, which Xcode wrote before version 9.
  mutating func decodeCompoundIndex(_ element: XMLElement) -> IndexSyntax {
    let properties = element.children(named: "index")
      .compactMap { requiredName("value", of: $0) }
    let elements = properties.map { FetchIndex.Element(.property($0.text)) }
    return IndexSyntax(
      name: nil, properties: properties, condition: nil,
      index: FetchIndex(name: "", elements: elements, origin: .compoundIndex))
  }

  /// Decodes a template of the model, or the request of a fetched property.
  ///
  /// Errors in the request become `faults` of the template, which don't prevent the model from being used. Only a
  /// missing name is an error of the model.
  mutating func decodeFetchRequest(
    _ element: XMLElement, of fetchedProperty: String?
  ) -> FetchRequestSyntax {
    let name = ownName(of: element)
    let entity = optionalName("entity", of: element)
    var own = ModelDecoder(findings: Findings(source: findings.source))
    var template = own.template(element, name: name.text, entity: entity?.text ?? "")
    if entity == nil {
      own.findings.report(
        ShapeIssue.missing(attribute: "entity", element: element.name), at: element.spot)
    }
    if text("predicateString", of: element) != nil {
      let context =
        fetchedProperty.map { "in fetched property '\($0)'" }
        ?? "in fetch request '\(name.text)'"
      own.readPredicate(of: element, into: &template, context: context)
    }
    template.faults += own.findings.diagnostics
    return FetchRequestSyntax(name: name, entity: entity, template: template)
  }

  /// Decodes the attributes of a template. A missing attribute has the default value of `NSFetchRequest`. Xcode writes
  /// names such as `includeSubentities`, and other tools write `includesSubentities`. Both are accepted.
  private mutating func template(
    _ element: XMLElement, name: String, entity: String
  ) -> FetchRequestTemplate {
    FetchRequestTemplate(
      name: name, entity: entity, limit: integer("fetchLimit", of: element) ?? 0,
      batchSize: integer("fetchBatchSize", of: element) ?? 0,
      includesSubentities: flag(
        either: "includeSubentities", "includesSubentities", of: element, default: true),
      includesPropertyValues: flag(
        either: "includePropertyValues", "includesPropertyValues", of: element, default: true),
      returnsObjectsAsFaults: flag(
        either: "returnObjectsAsFaults", "returnsObjectsAsFaults", of: element, default: true),
      returnsDistinctResults: flag(
        either: "returnDistinctResults", "returnsDistinctResults", of: element, default: false),
      includesPendingChanges: flag("includesPendingChanges", of: element, default: true),
      resultType: word("resultType", of: element, among: Self.resultTypes) ?? .objects)
  }

  private static let resultTypes: [(name: String, FetchRequestTemplate.ResultType)] = [
    ("0", .objects), ("1", .objectIDs), ("2", .dictionaries), ("4", .count),
  ]

  private mutating func flag(
    either first: String, _ second: String, of element: XMLElement, default value: Bool
  ) -> Bool {
    flag(element[first] == nil ? second : first, of: element, default: value)
  }
}
