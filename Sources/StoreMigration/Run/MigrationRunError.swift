package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout
package import StoreModel
package import StoreVerification

/// The reason why a store wasn't migrated. The store is unchanged.
package enum MigrationRunError: Error, Hashable, Sendable {
  /// The target requires a name that a table, view, index or trigger outside of the model already has.
  case nameInTheWay(String, of: ForeignNames.Kind, holder: ForeignNames.Kind)
  /// SQLite rejects the SQL of a definition. The text is SQLite's message.
  ///
  /// - Parameter lacksName: whether the SQL uses a missing table or column.
  case definitionSQL(String, Written<String>?, lacksName: Bool)
  /// The SQL of a definition causes references to missing rows, or removes required values.
  case brokenBySQL([StoreFinding])
  /// A view or trigger that isn't part of the model would become invalid. The text is SQLite's message.
  case dependent(String)
  /// The new keys of merged or duplicated rows would exceed 64 bits.
  case keysRunOut(table: String)
  /// Rows prevent the migration.
  case failedChecks([FailedCheck])
  /// Rows or values would be lost, and the settings don't allow these losses.
  ///
  /// - Parameter allowed: the losses that the settings already allow.
  case losses([MigrationLoss], allowed: [String])
  /// An allowed loss doesn't exist in any version.
  case unknownLoss(String, known: [String])
  /// There isn't enough disk space. The numbers are bytes.
  case noSpace(folder: LocalPath, needed: Int64, free: Int64)
  /// The proof failed: rows or pairs differ before and after the migration.
  case unproved([ProofDifference])
  /// After the migration, the schema differs from a new store's schema.
  case schema([SchemaSnapshot.Difference])
  /// A statement failed.
  case step(purpose: String, DatabaseError)
  /// A statement failed because the store lacks an object of the model, or contains an additional one.
  case unfitStore(purpose: String, StoreLayoutError)
}

/// A check of a migration that found rows that violate a requirement of the target.
package struct FailedCheck: Hashable, Sendable {
  package var problem: MappingError
  package var count: Int
  /// The first invalid rows: the object ID and, if available, the value.
  package var offenders: [Offender]
  /// The name of the loss that must be allowed so that the rows don't stop the migration; nil if they always stop it.
  package var permission: String?
  /// The entity of the rows in the current store; nil if it is unknown.
  package var source: String?
  /// The `Z_PK` of the first rows, at most 1,000. For duplicates, the lowest `Z_PK` of each group.
  package var keys: [Int64] = []

  package struct Offender: Hashable, Sendable {
    package var id: String
    package var value: SQLiteValue?
    /// For duplicate rows, the group of rows with equal values: the values, and the object IDs of the first rows.
    /// Otherwise nil.
    package var group: Group?

    package struct Group: Hashable, Sendable {
      package var values: [SQLiteValue]
      package var ids: [String]
      package var count: Int
    }
  }
}

/// Rows or values that the target version can't represent.
public struct MigrationLoss: Hashable, Sendable {
  /// The name of the loss: `Item.note`, `Item.tags`, or `Item` for rows.
  public internal(set) var name: String
  /// The number of values, pairs or rows.
  public internal(set) var count: Int64
}

/// A difference between rows or pairs before and after the migration.
package struct ProofDifference: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case rows(before: Int, after: Int)
    /// The same number of rows with different keys.
    case keys
    case values(column: String, before: Int, after: Int)
    /// The same number of values with different contents or in different rows.
    case contents(column: String)
  }

  package var subject: String
  package var kind: Kind
}

extension MigrationRunError: DiagnosableError {
  package var diagnostics: [DiagnosticMessage] {
    switch self {
    case .nameInTheWay(let name, let kind, let holder):
      Self.error(
        "migrate.\(kind.rawValue)-in-the-way",
        "the target version requires \(kind.withArticle) '\(name)', but the store contains \(holder.withArticle) with"
          + " this name that isn't part of its model",
        help: ["\(holder.isRenamable ? "rename or drop" : "drop") the \(holder.rawValue) first"])
    case .definitionSQL(let words, let written, let lacksName):
      Self.error(
        "migrate.sql", "SQLite can't run the definition's SQL: \(words)",
        help: lacksName
          ? ["use the names of the store's tables and columns, not the names of the model"] : []
      ).map { (written?.place ?? WrittenPlace()).locate($0) }
    case .brokenBySQL(let findings):
      findings.map(\.diagnostic).flatMap { found in
        Self.error(
          "migrate.sql-leaves", "after the definition's SQL: \(found.message)",
          help: found.help + ["change the SQL; the store is unchanged"])
      }
    case .dependent(let words):
      Self.error(
        "migrate.dependent",
        "a view or trigger that isn't part of the model depends on a dropped object: \(words)",
        help: ["drop it first, and create it again afterwards; the store is unchanged"])
    case .keysRunOut(let table):
      Self.error(
        "migrate.keys",
        "rows that are merged in '\(table)' require new keys, but too few keys are available above the"
          + " highest Z_PK",
        help: ["change the highest Z_PK to a smaller number first"])
    case .failedChecks(let checks): checks.map(\.diagnostic)
    case .losses(let losses, let allowed):
      Self.error(
        "migrate.loss",
        "the migration would lose data of the store: "
          + losses.map { "\($0.name) (\($0.count))" }.joined(separator: ", "),
        help: [.migration(.allowLoss(losses.map(\.name) + allowed))])
    case .unknownLoss(let name, let known):
      [
        DiagnosticMessage(.error, "migrate.unknown-loss", .unknownLoss(name), cause: .notFound)
          .didYouMean(name, among: known, elseListing: "possible losses are")
      ]
    case .noSpace(let folder, let needed, let free):
      Self.error(
        "migrate.no-space",
        "the migration requires \(ByteCount.text(needed)) of free space in '\(folder)', which has"
          + " \(ByteCount.text(free))",
        cause: .inputOutput, help: [.migration(.moveBackup)])
    case .unproved(let differences):
      Self.error(
        "migrate.unproved",
        "rolled back, because rows differ after the migration: "
          + differences.map(\.sentence).joined(separator: "; "), cause: .bug, help: Self.bugHelp)
    case .schema(let differences):
      Self.error(
        "migrate.schema",
        "rolled back, because the schema differs from a new store: "
          + differences.map(\.sentence).joined(separator: "; "), cause: .bug, help: Self.bugHelp)
    case .step(let purpose, let error): Self.diagnostics(of: error, in: purpose)
    case .unfitStore(let purpose, let error): Self.diagnostics(of: error, in: purpose)
    }
  }

  private static func error(
    _ code: String, _ message: String, cause: DiagnosticMessage.Cause = .invalid,
    help: [DiagnosticRemedy]
  ) -> [DiagnosticMessage] {
    [.error(code, message, cause: cause, help: help)]
  }

  private static func diagnostics(
    of error: any DiagnosableError, in purpose: String
  ) -> [DiagnosticMessage] {
    error.diagnostics.map { $0.helping("in the step that \(purpose); the store is unchanged") }
  }

  private static let bugHelp: [DiagnosticRemedy] = [
    "the store is unchanged; this is a bug in storetool, please report it with both model versions"
  ]
}

extension FailedCheck {
  package var diagnostic: DiagnosticMessage {
    var diagnostic = DiagnosticMessage.error(problem.code, problem.message(count: count))
    var ids: [String] = []
    for offender in offenders {
      if let group = offender.group {
        diagnostic = diagnostic.helping("\(text(of: group))")
      } else if let value = offender.value {
        diagnostic = diagnostic.helping("\(offender.id): \(value.literal)")
      } else {
        ids.append(offender.id)
      }
    }
    if !ids.isEmpty {
      let subject = count > offenders.count ? "the first" : ids.count == 1 ? "the row" : "the rows"
      diagnostic = diagnostic.helping("\(subject): \(ids.shortened)")
    }
    if count > offenders.count {
      diagnostic = diagnostic.helping("and \(count - offenders.count) more")
    }
    return problem.remedy.map { diagnostic.helping($0) } ?? diagnostic
  }

  /// Returns a group as text, such as `name 'a', kind 1 in 3 rows: x-coredata://…/Item/p1, p2, p4`.
  private func text(of group: Offender.Group) -> String {
    var names: [String] = []
    if case .duplicates(_, let properties) = problem { names = properties }
    let values = group.values.enumerated().map { index, value in
      (names.indices.contains(index) ? "\(names[index]) " : "") + value.literal
    }
    return "\(values.joined(separator: ", ")) in \(group.count) rows: \(group.ids.shortened)"
      + (group.count > group.ids.count ? ", …" : "")
  }
}

extension [String] {
  /// Object IDs of one entity as a list: `x-coredata://…/Item/p1, p2, p4`.
  fileprivate var shortened: String {
    let keys = dropFirst().compactMap { $0.split(separator: "/").last }
    return ([first ?? ""] + keys.map(String.init)).joined(separator: ", ")
  }
}

extension ProofDifference {
  /// The difference as text, such as `Item.name: 1000 values before, 999 after`.
  package var sentence: String {
    switch kind {
    case .rows(let before, let after): "\(subject): \(before) rows before, \(after) after"
    case .keys: "\(subject): the keys differ"
    case .values(let column, let before, let after):
      "\(subject).\(column): \(before) values before, \(after) after"
    case .contents(let column): "\(subject).\(column): the values differ"
    }
  }
}

extension SchemaSnapshot.Difference {
  fileprivate var sentence: String {
    switch (found, expected) {
    case (let found?, let expected?): "\(subject) is '\(found)' instead of '\(expected)'"
    case (let found?, nil): "\(subject): unexpected '\(found)'"
    case (nil, let expected?): "\(subject): '\(expected)' is missing"
    case (nil, nil): subject
    }
  }
}

extension ForeignNames.Kind {
  fileprivate var withArticle: String { self == .index ? "an \(rawValue)" : "a \(rawValue)" }

  fileprivate var isRenamable: Bool { self == .table || self == .virtualTable }
}
