public import StorePredicate
import StoreCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The types of a store's persistent history, in which Core Data and this library record changes.
public enum StoreHistory {
  /// A position in the persistent history of a store. A program keeps the token of the last transaction that it has
  /// processed, and later reads the transactions after it.
  ///
  /// Tokens of one store can be compared. They are never reused, even after their transactions were pruned.
  public struct Token: Hashable, Comparable, Codable, Sendable {
    /// The number of the transaction, which is 0 before the first transaction.
    public var transaction: Int64

    /// Creates a token from the number of a transaction.
    ///
    /// - Parameter transaction: the number of the transaction.
    public init(transaction: Int64) { self.transaction = transaction }

    /// Decodes a number.
    ///
    /// - Parameter decoder: the decoder.
    /// - Throws: the errors of the decoder.
    public init(from decoder: any Decoder) throws { transaction = try Int64(from: decoder) }

    /// Encodes the number.
    ///
    /// - Parameter encoder: the encoder.
    /// - Throws: the errors of the encoder.
    public func encode(to encoder: any Encoder) throws { try transaction.encode(to: encoder) }

    public static func < (one: Self, other: Self) -> Bool { one.transaction < other.transaction }
  }

  /// A transaction in the persistent history of a store, recorded by an app or by this library.
  public struct Transaction: Hashable, Sendable, Identifiable {
    /// The token of the transaction.
    public var id: Token
    /// The time of the commit.
    public var date: Date
    /// The author, or `nil`. For Core Data, it is the `transactionAuthor` of the context.
    public var author: String?
    /// The name of the context, or `nil`.
    public var contextName: String?
    /// The bundle identifier of the program, or `nil`.
    public var bundle: String?
    /// The name of the process, or `nil`.
    public var process: String?
    /// The changes, in their order.
    public var changes: [Change]
  }

  /// A change of one row in the persistent history.
  public struct Change: Hashable, Sendable {
    /// The kinds of changes.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// The row was created, its properties were changed, or it was deleted.
      case insert, update, delete
    }

    /// The kind of the change.
    public var kind: Kind
    /// The row. After a deletion it doesn't exist any more.
    public var objectID: ObjectID
    /// The names of the properties that an update has changed. It is empty for other changes.
    public var properties: [String]
  }
}

extension StoreHistory.Change.Kind {
  init(_ kind: ChangeKind) {
    self =
      switch kind {
      case .insert: .insert
      case .update: .update
      case .delete: .delete
      }
  }
}
