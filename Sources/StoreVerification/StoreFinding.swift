package import SQLiteAccess
public import StoreDiagnostics
import StoreLayout
public import StorePredicate

/// A difference between a store and the stores that Core Data writes, such as damage.
///
///     for finding in try await store.verify() where finding.severity == .error {
///       print(finding.message, finding.objectIDs)
///     }
public struct StoreFinding: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The property list in the metadata is invalid. Contains the reason.
    case unreadableMetadata(String)
    /// SQLite's integrity check found damage. Contains SQLite's message.
    case integrity(String)
    /// The file ends within its last page.
    case truncated(missingBytes: Int64)
    case missingTable(String)
    /// A join table has a name that Core Data doesn't use.
    case misnamedTable(String, usual: String)
    case missingColumn(String, table: String)
    /// A view or a virtual table has the name of a required table.
    case notATable(String, DatabaseSchema.StandIn)
    case missingPrimaryKey([String], table: String)
    case missingIndex(String, table: String, columns: [String], isUnique: Bool)
    case missingTrigger(String, table: String)
    /// The R-tree or one of its triggers is missing.
    case missingRTree(String, table: String)
    /// The R-tree lacks rows of the table, or contains them at another location.
    case staleRTree(String, table: String)
    /// The R-tree contains rows that the table doesn't contain.
    case rTreeGhosts(String, table: String)
    /// SQLite can't read a virtual table. Contains SQLite's message.
    case unreadableTable(String, words: String)
    /// `Z_METADATA` has no row.
    case noMetadata
    /// The metadata has no version hashes.
    case noHashes
    /// To-one references to missing rows.
    case dangling(destination: String)
    /// To-one references to rows of an entity that isn't a destination of the relationship.
    case misdirected(destination: String)
    /// The column for the entity of a to-one reference's destination contains an entity that the relationship can't
    /// refer to.
    case wrongDestinationEntity
    /// The column for the entity of a to-one reference's destination contains a possible entity, but not the entity of
    /// the referenced row.
    case disputedDestinationEntity
    /// Pairs in a join table that refer to a missing row.
    case ghostPairs(table: String)
    /// Pairs in a join table that refer to a row of an entity that isn't an end of the relationship.
    case misdirectedPairs(table: String)
    /// Members of a to-many relationship without an inverse that refer to a missing owner.
    case lostOwner(member: String)
    /// Members of a to-many relationship without an inverse that refer to a row of an entity without the relationship.
    case misdirectedOwner(member: String)
    /// Rows of a one-to-one relationship whose partner refers to another row.
    case oneSided(inverse: String)
    /// Rows of a one-to-one relationship whose partner contains NULL. This occurs in stores of real apps, and after a
    /// migration by Core Data that changes a relationship to one-to-one.
    case emptyInverse(inverse: String)
    /// Rows whose `Z_ENT` doesn't belong in their table or belongs to an abstract entity.
    ///
    /// - Parameter isCertain: whether the rows' correct entity can be determined.
    case wrongEntity(table: String, isCertain: Bool)
    /// `Z_PRIMARYKEY` has no row for the entity.
    case unlistedEntity(number: Int64)
    /// `Z_SUPER` is not the number of the entity's parent.
    case wrongParent(Int64, expected: Int64)
    /// `Z_PRIMARYKEY` contains an empty name for the entity's number, or the name of another entity.
    case otherName(String)
    /// `Z_PRIMARYKEY` contains an entity that isn't in the model.
    case unknownEntity(String)
    /// `Z_MAX` is less than a key in use.
    case shortCounter(Int64, highest: Int64)
    /// Rows with the same values of a uniqueness constraint.
    case duplicates([String])
    case missingValue
    /// Text that isn't UTF-8.
    case invalidText
    /// Members of an ordered relationship without a position.
    case missingPlace
    /// Members of an ordered relationship with the position of another member.
    case sharedPlace
    case wrongDerivedValue
    /// More or fewer members than the model allows.
    case memberCount(minimum: Int, maximum: Int?)
    /// Values whose external files are missing.
    case missingFiles
    /// External files that no row refers to.
    case orphanFiles
    /// The folder of external files, or its parent folder, is a symbolic link.
    case linkedFolder(String)
    /// Symbolic links among the external files.
    case linkedFiles
    /// Changes in the history whose transaction is missing.
    case lostTransaction
    /// Transactions in the history that refer to a missing text for the author, bundle, context or process.
    case lostText
    /// The digest or checksum in the metadata doesn't match the version hashes.
    case wrongSum(key: String)
  }

  package var kind: Kind
  /// The entity of the affected rows. `nil` if the finding isn't about the rows of one entity.
  public package(set) var entity: String?
  /// The attribute or relationship. `nil` if the finding isn't about one property.
  public package(set) var property: String?
  /// The number of affected rows, pairs or files.
  public package(set) var count: Int64
  /// The object IDs, pairs of keys, or names of files of the first cases. There are at most three.
  public package(set) var examples: [String]
  /// Whether `PersistentStore.repair` can fix the finding. It is `false` without a model, because a repair needs one.
  public internal(set) var isRepairable = false

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

  static let exampleLimit = 3

  /// Returns the finding for the names of files, or nil if there are none.
  static func files(_ kind: Kind, _ names: [String]) -> StoreFinding? {
    guard !names.isEmpty else { return nil }
    var finding = StoreFinding(
      kind, count: Int64(names.count), examples: Array(names.prefix(exampleLimit)))
    finding.isRepairable = kind == .orphanFiles
    return finding
  }
}

extension StoreFinding {
  /// The severity: `error` for findings that may cause problems in an app, and `warning` for findings that occur in
  /// stores of real apps and that the apps tolerate.
  public var severity: DiagnosticMessage.Severity { wording.severity }
  /// The stable code of the kind of finding, such as `verify.dangling-reference`.
  public var code: String { wording.code }
  /// The finding as a sentence in English, without the examples.
  public var message: String { wording.message }
  /// The object IDs of the first affected rows. There are at most three. The array is empty if the finding isn't about
  /// rows.
  public var objectIDs: [ObjectID] { examples.compactMap { ObjectID(uri: $0) } }

  /// The diagnostic without the examples.
  private var wording: DiagnosticMessage {
    switch kind {
    case .integrity(let words): .error("verify.integrity", "SQLite: \(words)")
    case .truncated(let bytes):
      .error(
        "verify.integrity",
        "the file ends within its last page; missing: \(ByteCount.text(bytes))")
    case .missingTable(let table): .error("verify.missing-table", "the table \(table) is missing")
    case .misnamedTable(let table, let usual):
      .error(
        "verify.misnamed-table",
        "apps don't find the join table \(table), because they expect the name \(usual)")
    case .missingColumn(let column, let table):
      .error("verify.missing-column", "\(table) has no column \(column)")
    case .notATable(let table, let instead):
      .error("verify.not-a-table", "\(table) is a \(instead.rawValue), but must be a table")
    case .missingPrimaryKey(let columns, let table):
      .error(
        "verify.missing-primary-key",
        "\(table) has no primary key (\(columns.joined(separator: ", ")))")
    case .missingIndex(let index, let table, let columns, let isUnique):
      DiagnosticMessage(
        isUnique ? .error : .warning, "verify.missing-index",
        "the \(isUnique ? "unique " : "")index \(index) on \(table)"
          + " (\(columns.joined(separator: ", "))) is missing")
    case .missingTrigger(let trigger, let table):
      .error("verify.missing-trigger", "the trigger \(trigger) on \(table) is missing")
    case .missingRTree(let tree, let table):
      .warning(
        "verify.missing-r-tree", "the R-tree \(tree) of \(table) or one of its triggers is missing")
    case .staleRTree(let tree, let table):
      .warning(
        "verify.stale-r-tree",
        "\(table): \(rows) with a missing or wrong location in the R-tree \(tree)")
    case .rTreeGhosts(let tree, let table):
      .warning(
        "verify.r-tree-ghost", "the R-tree \(tree) contains \(rows) that \(table) doesn't contain")
    case .unreadableTable(let table, let words):
      .warning("verify.unreadable-table", "SQLite can't read the table \(table): \(words)")
    case .noMetadata:
      .error("verify.no-metadata", "Z_METADATA has no row, so the store has no UUID and no model")
    case .unreadableMetadata(let reason):
      .error(
        "verify.unreadable-metadata",
        "the store's model is unknown, because the property list in Z_METADATA can't be read: \(reason)"
      )
    case .noHashes:
      .warning(
        "verify.no-hashes", "the metadata has no version hashes, so the store's model is unknown")
    case .dangling(let destination):
      .error(
        "verify.dangling-reference",
        "\(place): \(counted("reference")) to missing rows of '\(destination)'")
    case .misdirected(let destination):
      .error(
        "verify.misdirected-reference",
        "\(place): \(counted("reference")) to an entity other than '\(destination)'")
    case .wrongDestinationEntity:
      .error(
        "verify.destination-entity",
        "\(place): the stored entity of the destination is wrong in \(rows)")
    case .disputedDestinationEntity:
      .error(
        "verify.disputed-entity",
        "\(place): the stored entity of the destination differs from the destination's entity in \(rows)"
      )
    case .ghostPairs(let table):
      .error(
        "verify.ghost-pair", "\(table): \(counted("pair")) \(refer) to a row that doesn't exist")
    case .misdirectedPairs(let table):
      .error(
        "verify.misdirected-pair",
        "\(table): \(counted("pair")) with a row of an entity without the relationship")
    case .lostOwner(let member):
      .error(
        "verify.lost-owner", "\(place): \(rows) of '\(member)' with an owner that doesn't exist")
    case .misdirectedOwner(let member):
      .error(
        "verify.misdirected-owner",
        "\(place): \(rows) of '\(member)' with an owner whose entity doesn't have the relationship")
    case .oneSided(let inverse):
      .error(
        "verify.one-sided",
        "\(place): \(rows) \(refer) to a row whose '\(inverse)' refers to a different row")
    case .emptyInverse(let inverse):
      .warning(
        "verify.empty-inverse", "\(place): \(rows) \(refer) to a row whose '\(inverse)' is NULL")
    case .wrongEntity(let table, let isCertain):
      .error(
        "verify.wrong-entity",
        "\(table): \(rows) with an entity number (Z_ENT) that doesn't belong in this table"
          + (isCertain ? "; it can be repaired, because only one entity is possible" : ""))
    case .unlistedEntity(let number):
      .error("verify.unlisted-entity", "Z_PRIMARYKEY has no row \(number) for \(name)")
    case .wrongParent(let parent, let expected):
      .error("verify.wrong-parent", "Z_SUPER of \(name) is \(parent) instead of \(expected)")
    case .otherName(let stored):
      .error("verify.entity-name", "Z_PRIMARYKEY contains the name '\(stored)' for \(name)")
    case .unknownEntity(let stored):
      .warning(
        "verify.unknown-entity", "Z_PRIMARYKEY contains '\(stored)', which isn't in the model")
    case .shortCounter(let counter, let highest):
      .error("verify.short-counter", "Z_MAX of \(name) is \(counter), but key \(highest) is in use")
    case .duplicates(let properties):
      .error(
        "verify.duplicate",
        "\(count) \(name) rows have the same \(properties.map { "'\($0)'" }.joined(separator: " and "))"
          // Four rows can be two groups.
          + (count > 3 ? " as other rows" : ""))
    case .missingValue:
      .warning("verify.missing-value", "\(place) is required, but NULL in \(rows)")
    case .invalidText:
      .warning("verify.invalid-text", "\(place) is text that isn't UTF-8 in \(rows)")
    case .missingPlace:
      .warning(
        "verify.missing-place", "\(place): \(counted("member")) without a position in the order")
    case .sharedPlace:
      .warning(
        "verify.shared-place", "\(place): \(counted("member")) with the position of another member")
    case .wrongDerivedValue:
      .error("verify.derived-value", "\(place) has a wrong derived value in \(rows)")
    case .memberCount(let minimum, let maximum):
      .warning(
        "verify.member-count",
        "\(place) must have \(maximum.map { "\(minimum) to \($0)" } ?? "at least \(minimum)")"
          + " \("member".plural(maximum ?? minimum)), but doesn't in \(rows)")
    case .missingFiles: .error("verify.missing-file", "\(place): the files of \(rows) are missing")
    case .orphanFiles:
      .warning("verify.orphan-file", "\(counted("file")) next to the store without a row")
    case .linkedFolder(let path):
      .warning("verify.linked-folder", "'\(path)' is a symbolic link that storetool doesn't follow")
    case .linkedFiles:
      .warning(
        "verify.linked-file",
        "\(counted("file")) next to the store \(count == 1 ? "is a symbolic link" : "are symbolic links")"
          + " that storetool doesn't follow")
    case .lostTransaction:
      .error(
        "verify.lost-transaction", "the history has \(counted("change")) without a transaction")
    case .lostText:
      .warning(
        "verify.lost-text",
        "the history has \(counted("transaction")) whose author, bundle, context or process is missing"
      )
    case .wrongSum(let key):
      .error("verify.wrong-sum", "\(key) in the metadata doesn't match the version hashes")
    }
  }

  private var name: String { "'\(entity ?? "")'" }

  private var place: String { "'\(entity ?? "").\(property ?? "")'" }

  private var rows: String { counted("row") }

  private var refer: String { count == 1 ? "refers" : "refer" }

  private func counted(_ noun: String) -> String { "\(count) \(noun.plural(count))" }

  private var first: String? {
    examples.isEmpty ? nil : "the first: \(exampleNoun)\(examples.joined(separator: ", "))"
  }

  /// The noun before examples that are only numbers.
  private var exampleNoun: String {
    switch kind {
    case .lostTransaction: "\("change".plural(examples.count)) "
    case .lostText: "\("transaction".plural(examples.count)) "
    default: ""
    }
  }

  /// The message and the examples in one line.
  package var sentence: String { [message, first].compactMap(\.self).joined(separator: "; ") }

  /// The message and the examples as a diagnostic.
  public var diagnostic: DiagnosticMessage {
    first.map { wording.helping($0) } ?? wording
  }
}

extension StoreFinding: CustomStringConvertible {
  public var description: String { String(DiagnosticRenderer().render(diagnostic).dropLast()) }
}
