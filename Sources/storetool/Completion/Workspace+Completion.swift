import StoreModel
import StoreModelReader

extension Workspace {
  /// The models that an unfinished command may be about. What can't be read is passed over.
  ///
  /// - Parameter isOfStore: whether the versions count that wrote the stores at hand, where there are any.
  func modelsInReach(isOfStore: Bool) -> [Model] {
    let written = isOfStore ? modelsOfStores() : []
    guard written.isEmpty else { return written }
    do {
      return try bundles().compactMap { readableModel(of: $0) }
    } catch {
      return []
    }
  }

  private func modelsOfStores() -> [Model] {
    do {
      let stores = try usableStores().map { try $0.opened.get() }
      guard let only = stores.first, stores.count == 1 else {
        return try candidates(of: stores).map(\.model.model)
      }
      return [try model(of: only).model]
    } catch {
      return []
    }
  }

  private func readableModel(of bundle: ModelBundle) -> Model? {
    do {
      return try FoundModel(version(of: bundle), of: VersionsAtHand(of: bundle)).model
    } catch {
      return nil
    }
  }
}
