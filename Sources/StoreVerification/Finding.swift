package import SQLiteAccess
package import StoreDiagnostics
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

extension Finding {
  /// An app may trip over an error. A warning is what real stores have and apps live with.
  package var severity: Diagnostic.Severity {
    switch kind {
    case .missingIndex(_, _, _, let isUnique): isUnique ? .error : .warning
    case .missingRTree, .staleRTree, .rTreeGhosts, .missingValue, .invalidText, .missingPlace,
      .sharedPlace,
      .memberCount, .orphanFiles,
      .unknownEntity,
      .lostText, .emptyInverse, .linkedFolder, .linkedFiles, .unreadableTable, .noHashes:
      .warning
    case .integrity, .missingTable, .misnamedTable, .missingColumn, .notATable, .missingPrimaryKey,
      .missingTrigger,
      .noMetadata, .unreadableMetadata, .dangling, .wrongDestinationEntity,
      .misdirected, .disputedDestinationEntity, .misdirectedPairs, .misdirectedOwner,
      .ghostPairs, .lostOwner, .oneSided, .wrongEntity, .unlistedEntity, .wrongParent,
      .otherName, .shortCounter, .duplicates, .wrongDerivedValue, .missingFiles, .lostTransaction,
      .wrongSum:
      .error
    }
  }

  package var code: String {
    switch kind {
    case .integrity: "verify.integrity"
    case .missingTable: "verify.missing-table"
    case .misnamedTable: "verify.misnamed-table"
    case .missingColumn: "verify.missing-column"
    case .notATable: "verify.not-a-table"
    case .missingPrimaryKey: "verify.missing-primary-key"
    case .missingIndex: "verify.missing-index"
    case .missingTrigger: "verify.missing-trigger"
    case .missingRTree: "verify.missing-r-tree"
    case .staleRTree: "verify.stale-r-tree"
    case .rTreeGhosts: "verify.r-tree-ghost"
    case .unreadableTable: "verify.unreadable-table"
    case .noMetadata: "verify.no-metadata"
    case .unreadableMetadata: "verify.unreadable-metadata"
    case .noHashes: "verify.no-hashes"
    case .dangling: "verify.dangling-reference"
    case .misdirected: "verify.misdirected-reference"
    case .wrongDestinationEntity: "verify.destination-entity"
    case .disputedDestinationEntity: "verify.disputed-entity"
    case .ghostPairs: "verify.ghost-pair"
    case .misdirectedPairs: "verify.misdirected-pair"
    case .lostOwner: "verify.lost-owner"
    case .misdirectedOwner: "verify.misdirected-owner"
    case .oneSided: "verify.one-sided"
    case .emptyInverse: "verify.empty-inverse"
    case .wrongEntity: "verify.wrong-entity"
    case .unlistedEntity: "verify.unlisted-entity"
    case .wrongParent: "verify.wrong-parent"
    case .otherName: "verify.entity-name"
    case .unknownEntity: "verify.unknown-entity"
    case .shortCounter: "verify.short-counter"
    case .duplicates: "verify.duplicate"
    case .missingValue: "verify.missing-value"
    case .invalidText: "verify.invalid-text"
    case .missingPlace: "verify.missing-place"
    case .sharedPlace: "verify.shared-place"
    case .wrongDerivedValue: "verify.derived-value"
    case .memberCount: "verify.member-count"
    case .missingFiles: "verify.missing-file"
    case .orphanFiles: "verify.orphan-file"
    case .linkedFolder: "verify.linked-folder"
    case .linkedFiles: "verify.linked-file"
    case .lostTransaction: "verify.lost-transaction"
    case .lostText: "verify.lost-text"
    case .wrongSum: "verify.wrong-sum"
    }
  }

  package var message: String {
    switch kind {
    case .integrity(let words): "SQLite: \(words)"
    case .missingTable(let table): "the table \(table) is missing"
    case .misnamedTable(let table, let usual):
      "the join table \(table) is not found by apps, which look for \(usual)"
    case .missingColumn(let column, let table): "\(table) has no column \(column)"
    case .notATable(let table, let instead):
      "\(table) is a \(instead.rawValue), and has to be a table"
    case .missingPrimaryKey(let columns, let table):
      "\(table) has no primary key (\(columns.joined(separator: ", ")))"
    case .missingIndex(let index, let table, let columns, let isUnique):
      "the \(isUnique ? "unique " : "")index \(index) on \(table)"
        + " (\(columns.joined(separator: ", "))) is missing"
    case .missingTrigger(let trigger, let table): "the trigger \(trigger) on \(table) is missing"
    case .missingRTree(let tree, let table):
      "the R-tree \(tree) over \(table), or a trigger that keeps its rows, is missing"
    case .staleRTree(let tree, let table):
      "\(table): \(rows) that the R-tree \(tree) lacks or has at another location"
    case .rTreeGhosts(let tree, let table):
      "the R-tree \(tree): \(rows) that \(table) doesn't have"
    case .unreadableTable(let table, let words): "SQLite can't read the table \(table): \(words)"
    case .noMetadata: "Z_METADATA has no row, so the store has no UUID and no model"
    case .unreadableMetadata(let reason):
      "the property list in Z_METADATA can't be read, so the store's model is unknown: \(reason)"
    case .noHashes: "the metadata has no version hashes, so the store's model is unknown"
    case .dangling(let destination):
      "\(place): \(counted("reference")) to missing rows of '\(destination)'"
    case .misdirected(let destination):
      "\(place): \(counted("reference")) to a row that is not of '\(destination)'"
    case .wrongDestinationEntity:
      "\(place): the entity of the destination is noted wrongly in \(rows)"
    case .disputedDestinationEntity:
      "\(place): beside the reference stands another entity than that of the destination in \(rows)"
    case .ghostPairs(let table): "\(table): \(counted("pair")) with a row that does not exist"
    case .misdirectedPairs(let table):
      "\(table): \(counted("pair")) with a row of an entity without the relationship"
    case .lostOwner(let member):
      "\(place): \(rows) of '\(member)' with an owner that does not exist"
    case .misdirectedOwner(let member):
      "\(place): \(rows) of '\(member)' with an owner of an entity without it"
    case .oneSided(let inverse):
      "\(place): \(rows) whose partner leads to another row by '\(inverse)'"
    case .emptyInverse(let inverse):
      "\(place): \(rows) without a way back in '\(inverse)', which is NULL there"
    case .wrongEntity(let table, let isCertain):
      "\(table): \(rows) with the number of an entity that does not belong there"
        + (isCertain ? ", where only one fits" : "")
    case .unlistedEntity(let number): "Z_PRIMARYKEY has no row \(number), which is \(name)"
    case .wrongParent(let parent, let expected):
      "Z_SUPER of \(name) is \(parent), but the model says \(expected)"
    case .otherName(let stored): "Z_PRIMARYKEY calls \(name) '\(stored)'"
    case .unknownEntity(let stored): "Z_PRIMARYKEY lists '\(stored)', which the model does not have"
    case .shortCounter(let counter, let highest):
      "Z_MAX of \(name) is \(counter), but key \(highest) is in use"
    case .duplicates(let properties):
      "\(name): \(rows) share their \(properties.joined(separator: ", ")), which is unique"
    case .missingValue: "\(place) is required, but NULL in \(rows)"
    case .invalidText: "\(place) is text that isn't UTF-8 in \(rows)"
    case .missingPlace: "\(place) is ordered: \(counted("member")) without a place"
    case .sharedPlace: "\(place) is ordered: \(counted("member")) at the place of another"
    case .wrongDerivedValue: "\(place) is not what it is derived from in \(rows)"
    case .memberCount(let minimum, let maximum):
      "\(place) must have \(maximum.map { "\(minimum) to \($0)" } ?? "at least \(minimum)") members,"
        + " but has not in \(rows)"
    case .missingFiles: "\(place): the files of \(rows) are not beside the store"
    case .orphanFiles: "\(counted("file")) beside the store without a row"
    case .linkedFolder(let path): "'\(path)' is a symbolic link; it is not followed"
    case .linkedFiles:
      "\(counted("file")) beside the store \(count == 1 ? "is a symbolic link" : "are symbolic links")"
        + " and not followed"
    case .lostTransaction: "the history has \(counted("change")) without a transaction"
    case .lostText: "the history has \(counted("transaction")) whose maker is not there"
    case .wrongSum(let key): "\(key) in the metadata is not the sum of the version hashes"
    }
  }

  private var name: String { "'\(entity ?? "")'" }

  private var place: String { "'\(entity ?? "").\(property ?? "")'" }

  private var rows: String { counted("row") }

  private func counted(_ noun: String) -> String { "\(count) \(noun.plural(count))" }

  private var first: String? {
    examples.isEmpty ? nil : "the first: \(examples.joined(separator: ", "))"
  }

  /// All of it in one line.
  package var sentence: String { [message, first].compactMap(\.self).joined(separator: "; ") }

  package var diagnostic: Diagnostic {
    Diagnostic(severity, code, message, help: first.map { ["\($0)"] } ?? [])
  }
}
