import StoreDiagnostics
package import StoreLayout

extension Store {
  /// The model that the store carries.
  ///
  /// - Throws: `DatabaseError`
  package func carriedModel() throws -> CarriedModel {
    try read { try CarriedModel(in: $0, hashes: metadata.hashes, name: modelName) }
  }

  /// What a model is called that has no name of its own: `App` for `App.sqlite`.
  package var modelName: String {
    let stem = "\(path.name)".prefix { $0 != "." }
    return stem.isEmpty ? "Store" : String(stem)
  }
}
