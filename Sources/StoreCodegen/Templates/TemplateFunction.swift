import StoreDiagnostics
import StoreModel
import StorePredicate

/// A fetch-request template as a function.
struct TemplateFunction {
  var name: String
  var comment: String
  var parameters: [SwiftCode]
  var result: String
  /// The statements of the function. The last one returns the result.
  var body: [SwiftCode]

  init(
    _ checked: CheckedTemplate, named name: String, result: String, body: [SwiftCode],
    type: (ValueType) -> String
  ) {
    self.name = name
    comment = checked.template.predicateText.map { "`\($0.text)`" } ?? "Every row."
    parameters = checked.parameters.map { parameter in
      let label = parameter.label.map { $0 + " " } ?? ""
      return .text("\(label)\(parameter.written): \(type(parameter.variable.type))")
    }
    self.result = result
    self.body = body
  }
}

/// The function of a template, or the reason why there is none.
enum TemplateEntry {
  case function(TemplateFunction)
  case remark(String)

  /// - Parameters:
  ///   - subject: the description of the template in messages.
  ///   - write: creates the function. If it throws an error, the function is omitted, and the error is the reason.
  /// - Returns: the entry, and a warning if the function is omitted because of a `DiagnosableError`.
  static func entry(
    for template: FetchRequestTemplate, in model: DataModel, _ subject: String,
    write: (CheckedTemplate) throws -> TemplateFunction
  ) -> (TemplateEntry, DiagnosticMessage?) {
    do {
      return (.function(try write(CheckedTemplate(template, in: model))), nil)
    } catch let error as any DiagnosableError {
      let reason = error.diagnostics.first?.message ?? "it is not valid"
      return (
        .remark("No function for \(subject): \(reason)."),
        DiagnosticMessage(.warning, "generate.template", "no function for \(subject): \(reason)")
          .helping(.model(.check))
      )
    } catch {
      return (.remark("No function for \(subject)."), nil)
    }
  }
}

extension SwiftWriter {
  /// - Parameter open: the prefix of declarations for the access level, such as `public `.
  mutating func write(_ entries: [TemplateEntry], open: String) {
    for entry in entries {
      gap()
      switch entry {
      case .remark(let text): comment(text, mark: "//")
      case .function(let function):
        comment(function.comment)
        block(
          .list(
            open: "\(open)static func \(SwiftName.escaped(function.name))(",
            items: function.parameters, close: ") -> \(function.result)")
        ) { out in
          for statement in function.body { out.line(statement) }
        }
      }
    }
  }
}

/// A template without errors, with the parameters of its function.
struct CheckedTemplate {
  var template: FetchRequestTemplate
  var predicate: CheckedPredicate
  var parameters: [TemplateParameter]

  /// - Throws: an error if the template isn't valid.
  init(_ template: FetchRequestTemplate, in model: DataModel) throws {
    let checked = try template.checked(in: model)
    var pool = NamePool()
    self.template = template
    predicate = checked
    parameters = checked.variables.map { variable in
      let isSource = template.source != nil && variable.name == FetchSource.objectVariable
      return TemplateParameter(
        variable: variable, label: isSource ? "of" : nil,
        name: pool.take(isSource ? "source" : SwiftName.variable(variable.name)))
    }
  }
}

/// A variable of a template with its parameter.
struct TemplateParameter {
  var variable: TypedVariable
  var label: String?
  var name: String

  /// The name in source, in backquotes if it is a keyword.
  var written: String { SwiftName.escaped(name) }
}
