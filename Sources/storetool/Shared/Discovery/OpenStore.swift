import StoreLayout
import StoreDiagnostics
import StoreCore
import StoreModel

/// A store, the model version that wrote it, and where the one lies in the other.
struct OpenStore {
  let store: Store
  let found: FoundModel
  let layout: StoreLayout

  var model: Model { found.model }

  init(_ store: Store, _ found: FoundModel) throws {
    self.store = store
    self.found = found
    layout = try store.readableLayout(for: found.model, configuration: found.configuration)
  }

  /// What rows need to be written out.
  ///
  /// - Parameter unread: counts values whose files are not read; without it the first one is an error.
  func context(counting unread: UnreadValues? = nil) -> RowContext {
    RowContext(
      layout: layout, store: store.metadata.uuid,
      externalFolder: ExternalFolder(path: store.externalDataFolder, counting: unread))
  }
}
