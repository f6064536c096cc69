import StoreDiagnostics
import StoreModel
import StorePredicate

extension ManagedObjectEmitter {
  /// Writes the extension with the properties that Core Data implements at run time, and the functions of templates.
  mutating func emitProperties(of entity: EntityDescription, into out: inout SwiftWriter) {
    let name = names.type(of: entity.name)
    let request = "\(types.library("NSFetchRequest"))<\(name)>"
    let properties = declarations(of: entity)
    let templates = templateFunctions(of: entity)
    out.gap()
    out.block("extension \(name)") { out in
      out.block(
        "@nonobjc \(open)class func fetchRequest() -> \(request)",
        returning: "\(request)(entityName: \(SwiftLiteral.string(entity.name)))")
      if !properties.isEmpty { out.gap() }
      for property in properties {
        if let comment = property.comment { out.comment(comment) }
        out.line(.text(property.text))
      }
      out.write(templates, open: open)
    }
  }

  private typealias Declaration = (comment: String?, text: String)

  private mutating func declarations(of entity: EntityDescription) -> [Declaration] {
    var found: [Declaration] = []
    for attribute in entity.attributes where isDeclarable(attribute.name, of: entity) {
      let setter = attribute.derivation == nil ? "" : "private(set) "
      let type = type(of: attribute, of: entity)
      found.append((attribute.userInfo.comment, variable(attribute.name, setter, type)))
    }
    for relationship in entity.relationships where isDeclarable(relationship.name, of: entity) {
      found.append(
        (relationship.userInfo.comment, variable(relationship.name, "", type(of: relationship))))
    }
    for property in entity.fetchedProperties where isDeclarable(property.name, of: entity) {
      let type = "[\(type(of: property.request.entity))]"
      found.append((property.userInfo.comment, variable(property.name, "private(set) ", type)))
    }
    return found
  }

  private func variable(_ name: String, _ setter: String, _ type: String) -> String {
    "@NSManaged \(open)\(setter)var \(SwiftName.escaped(name)): \(type)"
  }

  /// Returns whether a property can be declared, and reports a property that can't. The name can't be changed, because
  /// Core Data derives the accessors from it.
  private mutating func isDeclarable(_ property: String, of entity: EntityDescription) -> Bool {
    let part = ModelPart.property(property, of: entity.name)
    let subject = "'\(entity.name).\(property)'"
    if SwiftName.membersOfManagedObjects.contains(property) {
      report(
        "\(subject) is omitted, because \(ObjectClass.base) has a member with that name", at: part,
        helping: "rename it in the model, with this name as its renaming identifier")
      return false
    }
    let isSpecial = SwiftName.impossible.contains(property)
    guard SwiftName.isIdentifier(property), !isSpecial else {
      report(
        "\(subject) is omitted, because a Swift variable can't have its name", at: part,
        helping: "value(forKey: \(SwiftLiteral.string(property))) reads it")
      return false
    }
    return true
  }

  // MARK: Types

  private func type(of relationship: RelationshipDescription) -> String {
    let destination = type(of: relationship.destination)
    return switch relationship.cardinality {
    case .toOne: destination + "?"
    case .toMany(ordered: false): "\(types.swift("Set"))<\(destination)>"
    case .toMany(ordered: true): types.foundation("NSOrderedSet")
    }
  }

  private mutating func type(of attribute: AttributeDescription, of entity: EntityDescription)
    -> String
  {
    if let scalar = scalar(of: attribute) { return types(scalar) }
    // Without a default, even a required property has no value before it is set, so its type is optional.
    let isAlwaysThere =
      !attribute.isOptional && attribute.defaultValue != nil && attribute.derivation == nil
    return object(of: attribute, of: entity) + (isAlwaysThere ? "" : "?")
  }

  /// Returns the scalar type, or nil if the attribute's value is an object. A scalar is never optional, because
  /// Objective-C has no nil scalars.
  private func scalar(of attribute: AttributeDescription) -> SwiftType? {
    guard attribute.usesScalarValueType else { return nil }
    return switch attribute.type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: SwiftType(attribute.type)
    case .date: .foundation("TimeInterval")
    case .undefined, .decimal, .string, .binary, .uuid, .uri, .transformable, .objectID, .composite:
      nil
    }
  }

  private mutating func object(of attribute: AttributeDescription, of entity: EntityDescription)
    -> String
  {
    switch attribute.type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: types.foundation("NSNumber")
    case .decimal: types.foundation("NSDecimalNumber")
    case .string, .date, .binary, .uuid, .uri: types(SwiftType(attribute.type))
    case .objectID: types.library("NSManagedObjectID")
    case .composite: "[\(types.swift("String")): Any]"
    case .undefined: types.foundation("NSObject")
    case .transformable: transformed(attribute, of: entity)
    }
  }

  private mutating func transformed(_ attribute: AttributeDescription, of entity: EntityDescription)
    -> String
  {
    guard let custom = CustomClass(of: attribute) else { return types.foundation("NSObject") }
    if let type = custom.type { return type }
    report(
      """
      '\(entity.name).\(attribute.name)' is written as NSObject, because its class \
      '\(custom.text)' isn't a Swift type
      """, at: .property(attribute.name, of: entity.name))
    return types.foundation("NSObject")
  }

  /// Returns functions such as `Person.peopleFR(name: "Ray")` for the templates of an entity.
  mutating func templateFunctions(of entity: EntityDescription) -> [TemplateEntry] {
    model.templates.filter { classes.owner(of: $0.entity) == entity.name }.map { template in
      let (entry, finding) = TemplateEntry.entry(
        for: template, in: model, "the fetch-request template '\(template.name)'"
      ) { checked in
        function(for: checked, named: names.function(of: template.name))
      }
      if let finding { report(finding, at: .template(template.name)) }
      return entry
    }
  }

  private func function(for checked: CheckedTemplate, named name: String) -> TemplateFunction {
    let template = checked.template
    let request = "\(types.library("NSFetchRequest"))<\(result(of: template))>"
    let variable = checked.parameters.contains { $0.name == "request" } ? "fetch" : "request"
    func set(_ property: String, _ value: SwiftCode) -> SwiftCode {
      .row([.text("\(variable).\(property) = "), value])
    }
    var body: [SwiftCode] = [
      .row([
        .text("let \(variable) = "),
        .call(request, [.labelled("entityName", .string(template.entity))]),
      ])
    ]
    if let predicate = predicate(of: checked) {
      // The text of a predicate can't be wrapped, so a long one exceeds the line length of swift-format.
      let text = template.predicateText?.text ?? ""
      if text.count > 75 { body.append("// swift-format-ignore") }
      body.append(set("predicate", predicate))
    }
    if template.limit != 0 { body.append(set("fetchLimit", "\(template.limit)")) }
    if template.batchSize != 0 { body.append(set("fetchBatchSize", "\(template.batchSize)")) }
    let flags: [(String, Bool, usual: Bool)] = [
      ("includesSubentities", template.includesSubentities, true),
      ("includesPropertyValues", template.includesPropertyValues, true),
      ("returnsObjectsAsFaults", template.returnsObjectsAsFaults, true),
      ("returnsDistinctResults", template.returnsDistinctResults, false),
      ("includesPendingChanges", template.includesPendingChanges, true),
    ]
    for (flag, value, usual) in flags where value != usual { body.append(set(flag, "\(value)")) }
    switch template.resultType {
    case .objects: break
    case .objectIDs: body.append(set("resultType", ".managedObjectIDResultType"))
    case .dictionaries: body.append(set("resultType", ".dictionaryResultType"))
    case .count: body.append(set("resultType", ".countResultType"))
    }
    body.append("return \(variable)")
    return TemplateFunction(
      checked, named: name, result: request, body: body, type: parameterType(of:))
  }

  private func result(of template: FetchRequestTemplate) -> String {
    switch template.resultType {
    case .objects: type(of: template.entity)
    case .objectIDs: types.library("NSManagedObjectID")
    case .dictionaries: types.foundation("NSDictionary")
    case .count: types.foundation("NSNumber")
    }
  }

  /// Returns code that creates an `NSPredicate` from the template's text, or nil if the template has no predicate.
  private func predicate(of checked: CheckedTemplate) -> SwiftCode? {
    guard let text = checked.template.predicateText?.text else { return nil }
    let format = SwiftCode.call(
      types.foundation("NSPredicate"), [.labelled("format", .string(text))])
    guard !checked.parameters.isEmpty else { return format }
    let values = checked.parameters.map { parameter in
      SwiftCode.text("\(SwiftLiteral.string(parameter.variable.name)): \(parameter.written)")
    }
    return .row([format, .call(".withSubstitutionVariables", [.array(values)])])
  }

  private func parameterType(of type: ValueType) -> String {
    switch type {
    case .any: "Any"
    case .attribute(.decimal): types.foundation("NSDecimalNumber")
    case .attribute(let type): types(SwiftType(type))
    case .object(let entity): self.type(of: entity)
    case .entity: types.library("NSEntityDescription")
    case .collection(let member): "[\(parameterType(of: member))]"
    }
  }
}
