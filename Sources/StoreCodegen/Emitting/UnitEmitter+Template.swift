import StoreDiagnostics
import StoreModel
import StorePredicate

/// A fetch-request template as a function.
struct TemplateFunction {
  var name: String
  var comment: String
  var parameters: [SwiftCode]
  var result: String
  var body: SwiftCode
}

/// What stands where a template's function is: the function, or why there is none.
enum TemplateEntry {
  case function(TemplateFunction)
  case remark(String)
}

extension UnitEmitter {
  mutating func templateFunctions() -> [TemplateEntry] {
    model.templates.map { template in
      let part = ModelPart.template(template.name)
      return entry(
        for: template, named: names.function(of: template.name), part,
        "the fetch-request template '\(template.name)'")
    }
  }

  func emit(_ entries: [TemplateEntry], into out: inout SwiftWriter) {
    for entry in entries {
      out.gap()
      switch entry {
      case .remark(let text): out.comment(text, mark: "//")
      case .function(let function):
        out.comment(function.comment)
        out.block(
          .list(
            open: "\(open)static func \(SwiftName.escaped(function.name))(",
            items: function.parameters, close: ") -> \(function.result)")
        ) { $0.line(function.body) }
      }
    }
  }

  /// `Employee.colleagues(of: ann)`, by entity.
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
    do {
      let checked = try template.checked(in: model)
      var pool = NamePool()
      let bindings = checked.variables.map { variable in
        let isSource = template.source != nil && variable.name == FetchSource.objectVariable
        return Binding(
          variable: variable, label: isSource ? "of" : nil,
          parameter: pool.take(isSource ? "source" : SwiftName.variable(variable.name)))
      }
      if bindings.contains(where: \.variable.type.needsFoundation) { imports.insert(.foundation) }
      let parameters = bindings.map { binding in
        let label = binding.label.map { $0 + " " } ?? ""
        let name = SwiftName.escaped(binding.parameter)
        return SwiftCode.text("\(label)\(name): \(type(of: binding.variable.type))")
      }
      return .function(
        function(for: template, checked, named: name, parameters: parameters, bindings))
    } catch let error as any DiagnosableError {
      let reason = error.diagnostics.first?.message ?? "it is not valid"
      report(
        Diagnostic(.warning, "generate.template", "no function for \(subject): \(reason)")
          .helping(.model(.check)), at: part)
      return .remark("No function for \(subject): \(reason).")
    } catch {
      return .remark("No function for \(subject).")
    }
  }

  // MARK: Requests

  /// A variable and the parameter that fills it.
  private struct Binding {
    var variable: TypedVariable
    var label: String?
    var parameter: String

    /// A name that no predicate can have, so that a SUBQUERY's variable is never taken for it.
    var marker: String { "$" + variable.name }

    var value: SwiftCode {
      let name = SwiftName.escaped(parameter)
      return switch variable.type {
      case .any: .text(".value(\(name))")
      case .collection(let member):
        .text(".init(.list(\(name).map { .value(\(member == .any ? "$0" : "$0.storeValue")) }))")
      case .attribute, .object, .entity: .text(".value(\(name).storeValue)")
      }
    }
  }

  private func function(
    for template: FetchRequestTemplate, _ checked: CheckedPredicate, named name: String,
    parameters: [SwiftCode], _ bindings: [Binding]
  ) -> TemplateFunction {
    let object = names.type(of: template.entity)
    var arguments: [SwiftCode] = [
      .labelled("entity", .text(SwiftLiteral.string(template.entity)))
    ]
    if template.predicate != nil {
      let marked = checked.predicate.substituting(
        Dictionary(
          uniqueKeysWithValues: bindings.map {
            ($0.variable.name, Expression(.variable($0.marker)))
          }))
      let code = SwiftCode(marked).binding(bindings.map { ($0.marker, $0.value) })
      arguments.append(.labelled("predicate", code))
    }
    if template.limit != 0 { arguments.append(.text("limit: \(template.limit)")) }
    if !template.includesSubentities { arguments.append("includesSubentities: false") }
    let query = SwiftCode.call(
      "\(types.store("Query"))<\(object)>", [.call(types.store("FetchRequest"), arguments)])
    let (result, ending) =
      switch template.resultType {
      case .objects, .dictionaries: ("Query", "")
      case .objectIDs: ("IDRequest", ".ids")
      case .count: ("CountRequest", ".count")
      }
    return TemplateFunction(
      name: name, comment: template.predicateText.map { "`\($0.text)`" } ?? "Every row.",
      parameters: parameters, result: "\(types.store(result))<\(object)>",
      body: .row([query, .text(ending)]))
  }

  private func type(of type: ValueType) -> String {
    switch type {
    case .any: "StorePredicate.Value"
    case .attribute(let type): types(SwiftType(type))
    case .object(let entity): "\(names.type(of: entity)).ID"
    case .entity: types.swift("String")
    case .collection(let member): "[\(self.type(of: member))]"
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
  /// The code with others in the place of variables; a SUBQUERY's own stay.
  fileprivate func binding(_ values: [(String, SwiftCode)]) -> SwiftCode {
    for (name, value) in values {
      if self == SwiftCode(Expression(.variable(name))) { return value }
    }
    return switch self {
    case .text: self
    case .row(let parts): .row(parts.map { $0.binding(values) })
    case .list(let open, let items, let close):
      .list(open: open, items: items.map { $0.binding(values) }, close: close)
    }
  }
}
