import SQLiteAccess
import StoreComparison
import StoreCore
import StoreLayout
import StoreTestSupport

extension GraphStore {
  func compared(_ connection: Connection) -> ComparedStore {
    ComparedStore(
      connection,
      RowContext(
        layout: layout, store: store.metadata.uuid,
        externalFolder: ExternalFolder(path: store.externalDataFolder)))
  }
}
