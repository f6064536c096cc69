package import StoreDiagnostics
import StoreModel

/// The released versions of a model: `Migrations/<Model>.lock`.
///
/// Made to be reviewed and merged: a line for each version, in natural order, that is never changed.
///
///     # The released versions of Todo, …
///     pq8pjsiGvWvwW1Wb2CY9wXo0Ki2B4hdl8Ey2mFeUUQ4=  Todo
///     B0yA2mO0bq3kUS2a2F0JTV1j4lz1u3bYQqLh1b7zP1o=  Todo 2
package struct VersionLock: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package let version: String
    /// Base64 of the 32 bytes that stand for all its entities, as a store has them under
    /// `NSStoreModelVersionChecksumKey`.
    package let hash: String
    /// Nil for one that is not in the file yet.
    package let place: SourcePlace?
  }

  package let path: FilePath
  /// The model's name.
  package let model: String
  /// In natural order of the versions' names.
  package private(set) var entries: [Entry]

  package init(path: FilePath, model: String, entries: [Entry] = []) {
    self.path = path
    self.model = model
    self.entries = entries
    sort()
  }

  package func entry(for version: String) -> Entry? {
    entries.first { $0.version.isExactly(version) }
  }

  /// - Precondition: the version is not locked yet.
  package mutating func add(_ version: String, hash: String) {
    precondition(entry(for: version) == nil, "a line is never changed")
    entries.append(Entry(version: version, hash: hash, place: nil))
    sort()
  }

  private mutating func sort() {
    entries.sort { NaturalOrder.isLess($0.version, $1.version) }
  }

  /// What the file holds.
  package var text: String {
    let header = """
      # The released versions of \(model): hash (a store's NSStoreModelVersionChecksumKey) and name.
      # 'storetool model lock' adds versions, 'storetool model check' fails when one of these is edited
      # or removed. A line is never changed.

      """
    return header + entries.map { "\($0.hash)  \($0.version)\n" }.joined()
  }
}
