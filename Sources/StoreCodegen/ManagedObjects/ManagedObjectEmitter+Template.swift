import StoreModel
import StorePredicate

extension ManagedObjectEmitter {
  /// `Person.peopleFR(name: "Ray")`, for the templates of this entity.
  mutating func templateFunctions(of entity: Entity) -> [TemplateEntry] {
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
        .call(request, [.labelled("entityName", .text(SwiftLiteral.string(template.entity)))]),
      ])
    ]
    if let predicate = predicate(of: checked) {
      // The text of a predicate has nowhere to break.
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

  /// The model's own text: Core Data reads it as it reads the template.
  private func predicate(of checked: CheckedTemplate) -> SwiftCode? {
    guard let text = checked.template.predicateText?.text else { return nil }
    let format = SwiftCode.call(
      types.foundation("NSPredicate"), [.labelled("format", .text(SwiftLiteral.string(text)))])
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
