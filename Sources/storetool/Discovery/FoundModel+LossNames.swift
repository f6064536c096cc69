import StoreMigration
import StoreModel
import StoreModelReader

extension FoundModel {
  /// Which of the names that may be lost some version of the bundle has. Versions are read until all are
  /// found; one that can't be read has none.
  func namesOfVersions(for losses: AllowedLosses) -> Set<String> {
    guard case .some(let names) = losses else { return [] }
    var missing = Set(names)
    var known: Set<String> = []
    func look(in model: Model) {
      known.formUnion(missing.intersection(model.lossNames))
      missing.subtract(known)
    }
    look(in: model)
    for version in bundle.versions where !missing.isEmpty && version.isReadable {
      if case .success(let reading) = Result(catching: { try readings.reading(of: version) }) {
        look(in: reading.model)
      }
    }
    return known
  }
}
