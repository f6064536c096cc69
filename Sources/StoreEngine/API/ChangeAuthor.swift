package import StoreCore
/// Who makes a change: an app reads it in the store's persistent history, to leave out what it has done itself.
///
///     try await store.transaction(author: "sync") { … }
///     try await store.batchInsert(teas, author: ChangeAuthor("importer", contextName: "nightly"))
public struct ChangeAuthor: Hashable, Sendable, ExpressibleByStringLiteral {
  /// `transactionAuthor` in Core Data.
  public var name: String
  /// The name of the context; nil for none.
  public var contextName: String?

  /// Who makes the changes of a program that does not say so.
  public static let storetool: ChangeAuthor = "storetool"

  public init(_ name: String, contextName: String? = nil) {
    self.name = name
    self.contextName = contextName
  }

  public init(stringLiteral name: String) {
    self.init(name)
  }

  /// Now.
  package var origin: HistoryOrigin {
    var origin = HistoryOrigin.storetool
    (origin.author, origin.context) = (name, contextName)
    return origin
  }
}
