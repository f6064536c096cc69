import SQLiteAccess
import StoreCore
import StoreDiagnostics

/// The properties of a store that are chosen when it is created, and that an app determines with the options of Core
/// Data's persistent store description.
///
///     let options = PersistentStore.Options(newStore: NewStoreSettings(tracksHistory: true))
///     let store = try await PersistentStore.openOrCreate("Shop.sqlite", schema: ShopModel.self, options: options)
public struct NewStoreSettings: Hashable, Sendable {
  /// How SQLite makes transactions atomic.
  public enum Journal: Hashable, Sendable, CaseIterable {
    /// A write-ahead log. Reads run concurrently with a write. It is Core Data's default.
    case wal
    /// A rollback journal, which SQLite deletes after each transaction. All requests run one after the other.
    case rollback
  }

  /// Whether the store records its changes for other processes, as with `NSPersistentHistoryTrackingKey`. Core Data
  /// opens such a store for writing only with this option.
  public var tracksHistory: Bool
  /// How SQLite makes transactions atomic.
  public var journal: Journal
  /// The size of a page in bytes: a power of two from 512 to 65,536. Core Data's default is 4,096.
  public var pageSize: Int

  /// Creates settings.
  ///
  /// - Parameters:
  ///   - tracksHistory: whether the store records its changes for other processes.
  ///   - journal: how SQLite makes transactions atomic.
  ///   - pageSize: the size of a page in bytes.
  public init(tracksHistory: Bool = false, journal: Journal = .wal, pageSize: Int = 4096) {
    self.tracksHistory = tracksHistory
    self.journal = journal
    self.pageSize = pageSize
  }

  /// - Throws: `StoreError` if SQLite doesn't support the page size.
  var properties: NewStoreProperties {
    get throws {
      guard (512...65_536).contains(pageSize), pageSize.nonzeroBitCount == 1 else {
        throw StoreError(
          .invalidRequest, "store.page-size",
          "the page size \(pageSize) isn't a power of two from 512 to 65536", cause: .usage)
      }
      return NewStoreProperties(
        keepsHistory: tracksHistory, journal: journal == .wal ? .wal : .rollback,
        pageSize: pageSize)
    }
  }
}
