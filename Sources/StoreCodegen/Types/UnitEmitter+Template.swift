import StoreDiagnostics
import StoreModel
import StorePredicate

extension UnitEmitter {
  mutating func templateFunctions() -> [TemplateEntry] {
    model.templates.map { template in
      entry(
        for: template, named: names.function(of: template.name), .template(template.name),
        "the fetch-request template '\(template.name)'")
    }
  }

  /// Returns the functions for fetched properties, such as `Employee.colleagues(of: ann)`, by the entity's name.
  mutating func fetchedPropertyFunctions() -> [String: [TemplateEntry]] {
    var entries: [String: [TemplateEntry]] = [:]
    for entity in model.entities {
      for property in model.fetchedProperties(of: entity) {
        guard let template = model.template(named: "\(entity.name).\(property.name)") else {
          continue
        }
        let name = names.request(property.name, of: entity.name)
        entries[entity.name, default: []].append(
          entry(
            for: template, named: name, .property(property.name, of: entity.name),
            "the fetched property '\(entity.name).\(property.name)'"))
      }
    }
    return entries
  }

  private mutating func entry(
    for template: FetchRequestTemplate, named name: String, _ part: ModelPart, _ subject: String
  ) -> TemplateEntry {
    var usesFoundation = false
    let (entry, finding) = TemplateEntry.entry(for: template, in: model, subject) { checked in
      usesFoundation = checked.parameters.contains(where: \.variable.type.needsFoundation)
      return function(for: checked, named: name)
    }
    if usesFoundation { needsFoundation = true }
    if let finding { report(finding, at: part) }
    return entry
  }

  // MARK: Requests

  private func function(for checked: CheckedTemplate, named name: String) -> TemplateFunction {
    let template = checked.template
    let object = names.type(of: template.entity)
    var arguments: [SwiftCode] = [
      .labelled("entity", .string(template.entity))
    ]
    if template.predicate != nil {
      let marked = checked.predicate.predicate.substituting(
        Dictionary(
          checked.parameters.map { ($0.variable.name, FormatExpression(.variable($0.marker))) }
        ) { first, _ in first })
      let code = SwiftCode(marked).binding(checked.parameters.map { ($0.marker, $0.value) })
      arguments.append(.labelled("predicate", code))
    }
    if template.limit != 0 { arguments.append(.text("limit: \(template.limit)")) }
    if !template.includesSubentities { arguments.append("includesSubentities: false") }
    let query = SwiftCode.call(
      "\(types.library("TypedQuery"))<\(object)>",
      [.call(types.library("StoreFetchRequest"), arguments)])
    let (result, ending) =
      switch template.resultType {
      case .objects, .dictionaries: ("TypedQuery", "")
      case .objectIDs: ("IDRequest", ".ids")
      case .count: ("CountRequest", ".count")
      }
    return TemplateFunction(
      checked, named: name, result: "\(types.library(result))<\(object)>",
      body: [.row([query, .text(ending)])], type: type(of:))
  }

  private func type(of type: ValueType) -> String {
    switch type {
    case .any: types.library("DataValue")
    case .attribute(let type): types(SwiftType(type))
    case .object(let entity): "\(names.type(of: entity)).ID"
    case .entity: types.swift("String")
    case .collection(let member): "[\(self.type(of: member))]"
    }
  }
}

extension TemplateParameter {
  /// A variable name that predicates can't contain, so that the variable isn't confused with the variable of a
  /// SUBQUERY.
  fileprivate var marker: String { "$" + variable.name }

  fileprivate var value: SwiftCode {
    switch variable.type {
    case .any: .text(".value(\(written))")
    case .collection(let member):
      .text(".init(.list(\(written).map { .value(\(member == .any ? "$0" : "$0.storeValue")) }))")
    case .attribute, .object, .entity: .text(".value(\(written).storeValue)")
    }
  }
}

extension ValueType {
  fileprivate var needsFoundation: Bool {
    switch self {
    case .attribute(let type): SwiftType(type).isFoundation
    case .collection(let member): member.needsFoundation
    case .any, .object, .entity: false
    }
  }
}

extension SwiftCode {
  /// Returns the code with each variable in `values` replaced by its value.
  fileprivate func binding(_ values: [(String, SwiftCode)]) -> SwiftCode {
    for (name, value) in values {
      if self == SwiftCode(FormatExpression(.variable(name))) { return value }
    }
    return switch self {
    case .text: self
    case .row(let parts): .row(parts.map { $0.binding(values) })
    case .list(let open, let items, let close):
      .list(open: open, items: items.map { $0.binding(values) }, close: close)
    }
  }
}

extension FetchRequestTemplate {
  /// The Swift code of the template, with its predicate as a tree and its errors. Locations in the model's file are
  /// omitted, so that the code doesn't depend on the folder of the model.
  var code: SwiftCode {
    .initializer(
      .text("name: \(SwiftLiteral.string(name))"), .text("entity: \(SwiftLiteral.string(entity))"),
      predicateText.map { .labelled("predicateText", $0.code) },
      predicate.map { .labelled("predicate", SwiftCode($0)) },
      .labelled("faults", listing: faults.map { $0.swiftCode }),
      limit == 0 ? nil : .text("limit: \(limit)"),
      batchSize == 0 ? nil : .text("batchSize: \(batchSize)"),
      .labelled("includesSubentities", includesSubentities, assumed: true),
      .labelled("includesPropertyValues", includesPropertyValues, assumed: true),
      .labelled("returnsObjectsAsFaults", returnsObjectsAsFaults, assumed: true),
      .labelled("returnsDistinctResults", returnsDistinctResults),
      .labelled("includesPendingChanges", includesPendingChanges, assumed: true),
      resultType == .objects ? nil : .text("resultType: .\(resultType)"))
  }
}

extension PredicateText {
  fileprivate var code: SwiftCode {
    .initializer(.string(text), context.map { .labelled("context", .string($0)) })
  }
}

extension DiagnosticMessage {
  fileprivate var swiftCode: SwiftCode {
    .initializer(
      .text(".\(severity)"), .string(code), .string(message),
      cause == .invalid ? nil : .text("cause: .\(cause)"),
      .labelled("help", listing: help.map { .string($0.description) }))
  }
}
