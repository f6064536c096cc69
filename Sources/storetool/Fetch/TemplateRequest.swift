import StoreCore
import StoreLayout
import StoreModel

/// A template, the values of its variables, and how its request is refined.
struct TemplateRequest {
  private let template: String
  private let variables: [String]
  private let refinement: FetchOptions

  init(_ template: String, _ variables: [String], _ refinement: FetchOptions) {
    self.template = template
    self.variables = variables
    self.refinement = refinement
  }

  /// The open store, and the template's request with its variables filled in.
  ///
  /// - Throws: `DiagnosticError` and what opening the store throws.
  func prepared(
    _ options: StoreOptions, closest: Bool
  ) throws -> (OpenStore, PreparedRequest) {
    let arguments = try TemplateArguments(variables)
    let store = try Workspace(options, closest: closest).openStore(having: .template(template))
    let request = try arguments.request(forTemplate: template, in: store.model) { entity, row in
      try store.store.read { connection in
        let lookup = RowLookup(
          in: store.layout, store: store.store.metadata.uuid, on: connection)
        return try lookup.onlyRow(of: entity, where: row)
      }
    }
    return (store, try refinement.refine(request, in: store.model))
  }
}
