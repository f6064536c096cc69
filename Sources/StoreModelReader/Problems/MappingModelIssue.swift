import StoreDiagnostics

/// What a mapping model can't say without its app.
enum MappingModelIssue: ModelIssue, Hashable {
  case notAMappingModel(String)
  case noVersion(String)
  case policy(String, entity: String)
  case policyValue(
    String, arguments: [String], policy: String?, property: String, entity: String)
  case unreadable(String, property: String, String)

  var diagnostic: Diagnostic {
    switch self {
    case .notAMappingModel(let root):
      failure("not-a-mapping-model", "the file holds a '\(root)', not a mapping model")
        .helping("give the .xcmappingmodel folder, or the 'xcmapping.xml' in it")
    case .noVersion(let attribute):
      failure("no-version", "the mapping model has no '\(attribute)'")
        .helping("open it once in Xcode and choose its models")
    case .policy(let name, let entity):
      failure(
        "policy", "rows of '\(entity)' are migrated by code of the app, in the class '\(name)'"
      ).helping(.migration(.defineEntity(entity)))
    case .policyValue(let selector, let arguments, let policy, let property, let entity):
      failure(
        "policy",
        "'\(entity).\(property)' is computed by code of the app: '\(selector)'"
          + (policy.map { " of the class '\($0)'" } ?? "")
      ).helping(
        arguments.isEmpty
          ? "say it in a migration file: <attribute name=\"\(property)\" value=\"…\"/>"
          : "say it in a migration file, of \(arguments.joined(separator: ", ")): <attribute name=\"\(property)\" value=\"…\"/>"
      )
    case .unreadable(let what, let property, let entity):
      failure("unknown-expression", "'\(entity).\(property)' has an unknown expression: \(what)")
        .helping("say it in a migration file")
    }
  }

  private func failure(_ code: String, _ message: String) -> Diagnostic {
    Diagnostic(.error, "mapping-model.\(code)", message)
  }
}
