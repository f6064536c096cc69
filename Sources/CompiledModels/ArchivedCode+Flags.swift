import StoreModel

/// Single bits.
extension ArchivedCode {
  // Of `NSFlagsKey`.
  static let storedExternally: Int64 = 4
  static let preservedAfterDeletion: Int64 = 16

  /// Of `NSFetchRequestFlags`; 30 is a request as it is made.
  static let requestFlags: [(bit: Int64, fact: KeyPath<FetchRequestTemplate, Bool> & Sendable)] = [
    (1, \.returnsDistinctResults), (2, \.includesSubentities), (4, \.includesPropertyValues),
    (8, \.returnsObjectsAsFaults), (16, \.includesPendingChanges),
  ]
}
