import StoreDiagnostics
import StoreModel
import StorePredicate

/// Converts a model to the Swift structures that represent its entities.
struct ShapeBuilder {
  let model: DataModel
  let names: ModelNames
  private(set) var findings: [VersionFinding] = []
  /// The enumerations of the entities' own attributes, by entity and attribute.
  private var enums: [String: [String: EnumShape]] = [:]

  init(_ model: DataModel, _ names: ModelNames) {
    self.model = model
    self.names = names
    for entity in model.entities {
      for attribute in entity.attributes {
        enums[entity.name, default: [:]][attribute.name] = enumeration(of: attribute, in: entity)
      }
    }
  }

  mutating func shapes() -> [EntityShape] { model.entities.map { shape(of: $0) } }

  private mutating func shape(of entity: EntityDescription) -> EntityShape {
    let attributes = model.attributes(of: entity).filter { !$0.isTransient }
    let properties = attributes.map { property($0, of: entity) }
    let relationships = model.relationships(of: entity).filter { !$0.isTransient }
    return EntityShape(
      entityName: entity.name, typeName: names.type(of: entity.name),
      comment: entity.userInfo.comment,
      entityNames: model.subtree(of: entity).map(\.name).sorted(),
      properties: properties
        + relationships.filter { !$0.isToMany }.map { toOne($0, of: entity) },
      toMany: relationships.filter(\.isToMany).map { relationship in
        ToManyShape(
          modelName: relationship.name, name: names.member(relationship.name, of: entity.name),
          comment: relationship.userInfo.comment,
          destination: names.type(of: relationship.destination))
      },
      enums: entity.attributes.filter { !$0.isTransient }
        .compactMap { enums[entity.name]?[$0.name] })
  }

  private func toOne(_ relationship: RelationshipDescription, of entity: EntityDescription)
    -> PropertyShape
  {
    PropertyShape(
      path: [relationship.name], name: names.member(relationship.name, of: entity.name),
      comment: relationship.userInfo.comment,
      kind: .toOne(names.type(of: relationship.destination)), isOptional: true,
      defaultValue: relationship.isOptional ? DefaultValue.none : nil)
  }

  private mutating func property(_ attribute: AttributeDescription, of entity: EntityDescription)
    -> PropertyShape
  {
    let owner = model.property(named: attribute.name, of: entity)?.declaredBy ?? entity
    let name = names.member(attribute.name, of: entity.name)
    if case .composite(let composite) = attribute.type {
      let shape = self.composite(
        composite, for: attribute, path: [attribute.name], of: entity, declaredBy: owner)
      return PropertyShape(
        shape, path: [attribute.name], name: name, comment: attribute.userInfo.comment)
    }
    var shape = value(attribute, path: [attribute.name], name: name)
    if let enumeration = enums[owner.name]?[attribute.name] {
      let type = "\(names.type(of: owner.name)).\(enumeration.name)"
      shape.kind = .attribute(.named(enumeration.isOpen ? "StoreModel.OpenEnum<\(type)>" : type))
      shape.defaultValue = enumDefault(of: attribute, enumeration, declaredBy: owner)
    } else if let type = attribute.userInfo[EnumSpelling.typeKey] {
      shape.kind = .attribute(.named(type))
      // Only the program can convert the model's default to its own type.
      shape.defaultValue = attribute.defaultValue == nil ? shape.defaultValue : nil
    }
    return shape
  }

  private func value(_ attribute: AttributeDescription, path: [String], name: String)
    -> PropertyShape
  {
    let isDerived = attribute.derivation != nil
    return PropertyShape(
      path: path, name: name, comment: attribute.userInfo.comment,
      kind: .attribute(SwiftType(attribute.type)),
      // A derived attribute has no value before the store has computed it.
      isOptional: attribute.isOptional || isDerived, isDerived: isDerived,
      defaultValue: attribute.initialValue)
  }

  // MARK: Composites

  private func composite(
    _ name: String, for attribute: AttributeDescription, path: [String],
    of entity: EntityDescription,
    declaredBy owner: EntityDescription
  ) -> CompositeShape {
    let type =
      names.nestedType(of: path[0], declaredBy: owner.name) ?? NamingRules.types.typeName(path[0])
    // The type name of a nested composite consists of the outer type's name and the element's name.
    let ownName = path.dropFirst().reduce(type) { $0 + NamingRules.types.typeName($1) }
    var pool = NamePool(taken: NamingRules.types.members)
    let attributes = (model.composite(named: name)?.attributes ?? []).filter { !$0.isTransient }
    let members = pool.take(attributes.map(\.name), as: SwiftName.member)
    let elements = attributes.map { element -> PropertyShape in
      let elementPath = path + [element.name]
      let member = members[element.name] ?? element.name
      guard case .composite(let inner) = element.type else {
        var shape = value(element, path: elementPath, name: member)
        // All columns of an optional composite can be NULL, so its elements are optional.
        if attribute.isOptional, !shape.isOptional {
          shape.isOptional = true
          shape.defaultValue = shape.defaultValue ?? DefaultValue.none
        }
        return shape
      }
      var part = element
      part.isOptional = attribute.isOptional || element.isOptional
      let shape = composite(inner, for: part, path: elementPath, of: entity, declaredBy: owner)
      return PropertyShape(
        shape, path: elementPath, name: member, comment: element.userInfo.comment)
    }
    return CompositeShape(
      name: ownName, qualifiedName: "\(names.type(of: owner.name)).\(ownName)",
      elements: elements, isDeclaredHere: owner.name == entity.name)
  }

  // MARK: Enumerations

  private mutating func enumeration(
    of attribute: AttributeDescription, in entity: EntityDescription
  ) -> EnumShape? {
    guard let text = attribute.userInfo[EnumSpelling.casesKey], !attribute.isTransient,
      let name = names.nestedType(of: attribute.name, declaredBy: entity.name)
    else { return nil }
    do throws(EnumSpelling.SpellingError) {
      let spelling = try EnumSpelling(text, of: attribute.type)
      var pool = NamePool()
      return EnumShape(
        name: name, rawType: SwiftType(attribute.type), comment: attribute.userInfo.comment,
        cases: spelling.cases.map {
          EnumShape.Case(name: pool.take(SwiftName.member($0.name)), value: $0.value)
        },
        isOpen: isOpen(attribute, of: entity))
    } catch {
      report(error.diagnostic(for: attribute, of: entity), at: attribute, of: entity)
      return nil
    }
  }

  private mutating func isOpen(_ attribute: AttributeDescription, of entity: EntityDescription)
    -> Bool
  {
    guard let text = attribute.userInfo[EnumSpelling.openKey] else { return false }
    switch text.uppercased() {
    case "YES": return true
    case "NO": return false
    default:
      report(
        DiagnosticMessage(
          .warning, "generate.enum",
          "the user info 'enumOpen' of '\(entity.name).\(attribute.name)' is '\(text)'"
        ).helping("write YES if the attribute can have other values, and otherwise NO"),
        at: attribute, of: entity)
      return false
    }
  }

  private mutating func enumDefault(
    of attribute: AttributeDescription, _ enumeration: EnumShape,
    declaredBy owner: EntityDescription
  ) -> DefaultValue? {
    guard let value = attribute.defaultValue else { return attribute.initialValue }
    if let found = enumeration.cases.first(where: { $0.value == value }) {
      return .enumCase(enumeration.isOpen ? "known(.\(found.name))" : found.name)
    }
    report(
      DiagnosticMessage(
        .warning, "generate.enum",
        "the default of '\(owner.name).\(attribute.name)' isn't a case of its enumeration"),
      at: attribute, of: owner)
    return attribute.isOptional ? DefaultValue.none : nil
  }

  private mutating func report(
    _ diagnostic: DiagnosticMessage, at attribute: AttributeDescription,
    of entity: EntityDescription
  ) {
    let part = ModelPart.property(attribute.name, of: entity.name)
    let isKnown = findings.contains { $0.part == part && $0.diagnostic == diagnostic }
    if isKnown { return }
    findings.append(VersionFinding(version: model.name, part: part, diagnostic: diagnostic))
  }
}

extension [String: String] {
  /// The text of a documentation comment.
  var comment: String? { self["comment"] ?? self["documentation"] }
}

extension AttributeDescription {
  /// The default of an initializer's parameter.
  fileprivate var initialValue: DefaultValue? {
    switch defaultValue {
    // The text may not be a valid URL, so the parameter has no default, and the program must pass a URL.
    case .some where type == .uri && !isOptional: nil
    case .some(let value): .value(value)
    case nil: isOptional ? DefaultValue.none : nil
    }
  }
}

extension EnumSpelling.SpellingError {
  fileprivate func diagnostic(for attribute: AttributeDescription, of entity: EntityDescription)
    -> DiagnosticMessage
  {
    DiagnosticMessage(
      .warning, "generate.enum",
      "no enumeration for '\(entity.name).\(attribute.name)': \(reason)"
    ).helping("write the user info 'enum' as: low, normal, high or low=0, high=2")
  }

  private var reason: String {
    switch self {
    case .empty: "its user info contains no cases"
    case .notNamed(let text): "'\(text)' doesn't have a name"
    case .notAnInteger(let text): "'\(text)' isn't a value of the attribute"
    case .twice(let text): "'\(text)' has the name or the value of another case"
    case .wrongType(let type): "only strings and integers can have one, not \(type.name)"
    }
  }
}
