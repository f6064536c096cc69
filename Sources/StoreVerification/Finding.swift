package import SQLiteAccess
import StoreLayout

/// Something in a store that is not as Core Data would have it.
package struct Finding: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The property list in the metadata, and why.
    case unreadableMetadata(String)
    /// SQLite's own words.
    case integrity(String)
    case missingTable(String)
    /// A join table under a name that Core Data does not look for.
    case misnamedTable(String, usual: String)
    case missingColumn(String, table: String)
    /// A view or a virtual table has the name of a table.
    case notATable(String, DatabaseSchema.StandIn)
    case missingPrimaryKey([String], table: String)
    case missingIndex(String, table: String, columns: [String], isUnique: Bool)
    case missingTrigger(String, table: String)
    /// It, or a trigger that keeps its rows.
    case missingRTree(String, table: String)
    /// It lacks rows of the table, or has them at another location.
    case staleRTree(String, table: String)
    /// It has rows that the table doesn't have.
    case rTreeGhosts(String, table: String)
    /// A virtual table that SQLite can't read, in its own words.
    case unreadableTable(String, words: String)
    /// `Z_METADATA` has no row.
    case noMetadata
    /// The metadata carries no version hashes.
    case noHashes
    /// To-one references to rows that do not exist.
    case dangling(destination: String)
    /// To-one references to rows of an entity that the relationship does not lead to.
    case misdirected(destination: String)
    /// The column beside a to-one reference names an entity that the row can't be of.
    case wrongDestinationEntity
    /// It names another one than the row has, and either may be right.
    case disputedDestinationEntity
    /// Pairs of a many-to-many relationship that name a row which does not exist.
    case ghostPairs(table: String)
    /// Pairs that name a row of an entity without the relationship.
    case misdirectedPairs(table: String)
    /// Members of a to-many without inverse whose owner does not exist.
    case lostOwner(member: String)
    /// Members of a to-many without inverse whose owner is of an entity without it.
    case misdirectedOwner(member: String)
    /// Rows of a one-to-one whose partner names another row.
    case oneSided(inverse: String)
    /// Rows of a one-to-one whose partner names none. Apps leave this in real stores, and so does a
    /// migration by Core Data that makes a one-to-one of a relationship.
    case emptyInverse(inverse: String)
    /// Rows whose `Z_ENT` does not belong in their table, or is an abstract entity's.
    ///
    /// - Parameter isCertain: which entity they are of follows from everything else.
    case wrongEntity(table: String, isCertain: Bool)
    /// `Z_PRIMARYKEY` has no row for the entity.
    case unlistedEntity(number: Int64)
    /// `Z_SUPER` is not the number of the entity's parent.
    case wrongParent(Int64, expected: Int64)
    /// `Z_PRIMARYKEY` gives the entity's number the name of another one, or none.
    case otherName(String)
    /// `Z_PRIMARYKEY` lists an entity that the model does not have.
    case unknownEntity(String)
    /// `Z_MAX` is below a key that is in use.
    case shortCounter(Int64, highest: Int64)
    /// Rows that share the values of a uniqueness constraint.
    case duplicates([String])
    case missingValue
    /// Text that isn't UTF-8.
    case invalidText
    /// Members of an ordered relationship without a place.
    case missingPlace
    /// Members of an ordered relationship at the place of another.
    case sharedPlace
    case wrongDerivedValue
    /// More or fewer members than the model allows.
    case memberCount(minimum: Int, maximum: Int?)
    /// Values whose file is not beside the store.
    case missingFiles
    /// Files beside the store that no row names.
    case orphanFiles
    /// A symbolic link where the folder of large values, or the one around it, would be.
    case linkedFolder(String)
    /// Symbolic links among the files of large values.
    case linkedFiles
    /// Changes in the history whose transaction is not there.
    case lostTransaction
    /// Transactions in the history whose author, bundle, context or process is not there.
    case lostText
    /// The digest or checksum in the metadata is not that of its hashes.
    case wrongSum(key: String)
  }

  package var kind: Kind
  package var entity: String?
  package var property: String?
  /// How many rows, pairs or files.
  package var count: Int64
  /// The first few: object IDs, pairs of keys, names of files.
  package var examples: [String]

  package init(
    _ kind: Kind, entity: String? = nil, property: String? = nil, count: Int64 = 1,
    examples: [String] = []
  ) {
    self.kind = kind
    self.entity = entity
    self.property = property
    self.count = count
    self.examples = examples
  }

  /// How many examples a finding has.
  static let exampleLimit = 3

  /// Nil for none.
  static func orphanFiles(_ names: [String]) -> Finding? { files(.orphanFiles, names) }

  /// Nil for none.
  static func linkedFiles(_ names: [String]) -> Finding? { files(.linkedFiles, names) }

  private static func files(_ kind: Kind, _ names: [String]) -> Finding? {
    guard !names.isEmpty else { return nil }
    return Finding(kind, count: Int64(names.count), examples: Array(names.prefix(exampleLimit)))
  }
}
