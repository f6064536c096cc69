import StoreDiagnostics
import StoreModel

extension PersistentModelEmitter {
  /// `Person.peopleFR(name: "Ray")` for the templates of this entity, and `Employee.colleagues(of: ann)`
  /// for the fetched properties that it declares.
  mutating func templateFunctions(of entity: Entity) -> [TemplateEntry] {
    let templates = model.templates.filter { $0.entity == entity.name }.map { template in
      entry(
        for: template, named: names.function(of: template.name), at: .template(template.name),
        "the fetch-request template '\(template.name)'")
    }
    let fetched = entity.fetchedProperties.compactMap { property -> TemplateEntry? in
      let name = "\(entity.name).\(property.name)"
      guard let template = model.template(named: name) else { return nil }
      return entry(
        for: template, named: names.request(property.name, of: entity.name),
        at: .property(property.name, of: entity.name), "the fetched property '\(name)'")
    }
    return templates + fetched
  }

  private mutating func entry(
    for template: FetchRequestTemplate, named name: String, at part: ModelPart, _ subject: String
  ) -> TemplateEntry {
    let (entry, finding) = TemplateEntry.entry(for: template, in: model, subject) { checked in
      try function(for: checked, named: name)
    }
    if let finding { report(finding, at: part) }
    return entry
  }

  private func function(
    for checked: CheckedTemplate, named name: String
  ) throws -> TemplateFunction {
    let template = checked.template
    guard template.includesSubentities || isLeaf(template.entity) else {
      throw Unsayable("it leaves sub-entities out, which a FetchDescriptor does not")
    }
    let object = names.type(of: template.entity)
    let descriptor = "\(types.library("FetchDescriptor"))<\(object)>"
    var writer = PredicateWriter(self, checked)
    let condition = try writer.condition(of: checked)
    var body = writer.constants.map { name, value in
      SwiftCode.row([.text("let \(name) = "), value])
    }
    var arguments: [SwiftCode] = []
    if let condition {
      // In the macro a line has nowhere to break.
      if condition.hasOperand(longerThan: 80) { body.append("// swift-format-ignore") }
      let head = "let \(writer.predicate) = #Predicate<\(object)> { \(writer.row) in"
      body.append(.block(head: head, [condition]))
      arguments = [.text("predicate: \(writer.predicate)")]
    }
    if template.limit == 0 {
      // One expression needs no `return`.
      let result = SwiftCode.call(descriptor, arguments)
      body.append(body.isEmpty ? result : .row(["return ", result]))
    } else {
      body.append(.row([.text("var \(writer.descriptor) = "), .call(descriptor, arguments)]))
      body.append(.text("\(writer.descriptor).fetchLimit = \(template.limit)"))
      body.append(.text("return \(writer.descriptor)"))
    }
    return TemplateFunction(
      checked, named: name, result: descriptor, body: body, type: parameterType(of:))
  }

  private func isLeaf(_ entity: String) -> Bool {
    !model.entities.contains { $0.parent == entity }
  }

  private func parameterType(of type: ValueType) -> String {
    switch type {
    case .any: "Any"
    case .attribute(let type): types(SwiftType(type))
    case .object(let entity): names.type(of: entity)
    case .entity: types.swift("String")
    case .collection(let member): "[\(parameterType(of: member))]"
    }
  }
}

extension Unsayable {
  /// - Parameter reason: what no #Predicate says.
  init(_ reason: String) {
    self.init(reason: reason, help: "write it by hand, or fetch more and filter in memory")
  }
}
