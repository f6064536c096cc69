/// Values that only the writer has to do with: a reader knows them from others.
extension ArchivedKey {
  static let model = "NSManagedObjectModel"
  static let subentities = "NSSubentities"
  static let isReadOnly = "NSIsReadOnly"
  /// The flags of a property once more, in one number.
  static let propertyBits = "_P"
  static let fetchIndex = "NSFetchIndexDescription"

  static let hasRequestFlags = "NSHasFetchRequestFlags"
  static let allocationType = "NSAllocationType"

  static let variant = "NSVariant"
  /// Assumed, as is a symbol's: no archive with one is known.
  static let position = "NSPosition"
  static let symbol = "NSSymbol"

  // Of a dictionary whose keys are known beforehand.
  static let values = "values"
  static let searchMapping = "searchMapping"
  static let emptyToken = "emptyToken"
  static let keys = "keys"
  static let length = "length"
  static let version = "version"
}
