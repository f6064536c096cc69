import StoreLayout
import StoreModel

extension RequestedMigration {
  /// Names of losses by the entities that declare the properties, in whatever versions: a key path may name one that
  /// inherits it.
  func declaringNames(of names: [String]) -> [String] {
    Set(
      names.flatMap { name -> Set<String> in
        let declared = Set(readableModels.compactMap { $0.declaringName(of: name) })
        return declared.isEmpty ? [name] : declared
      }
    ).sorted()
  }

  /// Which of the names that may be lost some version of the model has. Versions are read until all are
  /// found; one that can't be read has none.
  package func namesOfVersions(for losses: AllowedLosses) -> Set<String> {
    guard case .some(let names) = losses else { return [] }
    var missing = Set(names)
    var known: Set<String> = []
    for model in readableModels {
      if missing.isEmpty { break }
      known.formUnion(missing.intersection(model.lossNames))
      missing.subtract(known)
    }
    return known
  }

  /// Each read when it is its turn; the store's own first.
  private var readableModels: some Sequence<Model> {
    let versions = source.versions.source
    let names = [source.name] + versions.names
    return names.lazy.filter(versions.isReadable).compactMap { name in
      Result { try versions.model(of: name) }.success
    }
  }
}

extension Result {
  /// Nil for a failure.
  fileprivate var success: Success? {
    if case .success(let value) = self { value } else { nil }
  }
}
