/// How a list of results follows the store.
public enum ResultTracking: Hashable, Sendable {
  /// Not at all: the list is what it was when it was fetched, and no changes come.
  case none
  /// In memory: every change is seen, whoever makes it.
  case memory
  /// As `memory`, and the order and the sections are kept in a file, so that the next list of the
  /// same request need not sort the rows again.
  ///
  /// What has changed in between is found by reading the rows' values, so the file is never wrong; that
  /// of another store or request is ignored, and replaced. `PersistentStore.deleteCache` removes it.
  ///
  /// - Parameters:
  ///   - name: one for each list, such as the name of the screen that shows it.
  ///   - folder: where the file is; nil is the folder `.Todo_RESULTS` beside the store `Todo.sqlite`.
  case cached(name: String, folder: String? = nil)
}
