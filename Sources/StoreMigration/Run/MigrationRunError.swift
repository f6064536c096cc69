package import SQLiteAccess
package import StoreDiagnostics
package import StoreLayout
package import StoreModel
package import StoreVerification

/// Why a store was not migrated; it is as it was.
package enum MigrationRunError: Error, Hashable, Sendable {
  /// The target needs a name that something of an app's own has.
  case nameInTheWay(String, of: ForeignNames.Kind, holder: ForeignNames.Kind)
  /// The SQL of a definition is none for this store, in SQLite's words.
  case definitionSQL(String, Written<String>?)
  /// The SQL of a definition leaves references to missing rows, or required values empty.
  case brokenBySQL([Finding])
  /// A view or trigger of an app's own, in SQLite's words, would not hold any more.
  case dependent(String)
  /// Rows of several tables come together, and their keys are more than 64 bits hold.
  case keysRunOut(table: String)
  /// Rows stand in the way.
  case failedChecks([FailedCheck])
  case losses([Loss])
  /// A loss is allowed of what can't be lost.
  case unknownLoss(String, known: [String])
  /// In bytes.
  case noSpace(folder: FilePath, needed: Int64, free: Int64)
  /// Rows differ from what they were.
  case unproved([ProofDifference])
  /// The schema is not that of a fresh store.
  case schema([SchemaSnapshot.Difference])
  /// A statement failed.
  case step(purpose: String, DatabaseError)
  /// A statement failed because of what the store lacks or holds.
  case unfitStore(purpose: String, StoreLayoutError)
}

/// A check whose answer was not empty.
package struct FailedCheck: Hashable, Sendable {
  package var problem: MappingError
  package var count: Int
  /// The first ones: an object's ID and, where there is one, the value.
  package var offenders: [Offender]
  /// The loss that has to be allowed for them to do no harm.
  package var permission: String?
  /// The entity that the offenders are rows of, in the store as it is; nil where that is not known.
  package var source: String?
  /// `Z_PK` of the first ones.
  package var keys: [Int64] = []

  package struct Offender: Hashable, Sendable {
    package var id: String
    package var value: SQLiteValue?
    /// For rows that have to be unique: all values of the group, and the first rows of it.
    package var group: Group?

    package struct Group: Hashable, Sendable {
      package var values: [SQLiteValue]
      package var ids: [String]
      package var count: Int
    }
  }
}

/// What has no place in the target.
public struct Loss: Hashable, Sendable {
  /// `Item.note`, `Item.tags`, or `Item` for its rows.
  public internal(set) var name: String
  /// How many values, pairs or rows.
  public internal(set) var count: Int64
}

/// Rows or pairs that are not what they were.
package struct ProofDifference: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case rows(before: Int, after: Int)
    /// As many rows, but others.
    case keys
    case values(column: String, before: Int, after: Int)
    /// As many values, but others or elsewhere.
    case contents(column: String)
  }

  package var subject: String
  package var kind: Kind
}

extension MigrationRunError: DiagnosableError {
  package var diagnostics: [Diagnostic] {
    switch self {
    case .nameInTheWay(let name, let kind, let holder):
      [
        Diagnostic(
          .error, "migrate.\(kind.rawValue)-in-the-way",
          "the target version needs \(kind.withArticle) '\(name)', and the store has \(holder.withArticle) of that"
            + " name that is not of its model",
          help: ["\(holder.isRenamable ? "rename or drop" : "drop") that \(holder.rawValue) first"])
      ]
    case .definitionSQL(let words, let written):
      [
        (written?.place ?? WrittenPlace()).locate(
          Diagnostic(
            .error, "migrate.sql", "SQLite can't run the definition's SQL: \(words)",
            help: [
              "it is run on the tables and columns of the store, not of the model; the store is as it was"
            ]))
      ]
    case .brokenBySQL(let findings):
      findings.map { finding in
        let found = finding.diagnostic
        return Diagnostic(
          .error, "migrate.sql-leaves", "after the definition's SQL: \(found.message)",
          help: found.help + ["change the SQL; the store is as it was"])
      }
    case .dependent(let words):
      [
        Diagnostic(
          .error, "migrate.dependent",
          "a view or trigger that is not of the model needs what the migration takes away: \(words)",
          help: ["drop it first, and make it anew afterwards; the store is as it was"])
      ]
    case .keysRunOut(let table):
      [
        Diagnostic(
          .error, "migrate.keys",
          "the rows that come together in '\(table)' get new keys, and there are none left above the"
            + " highest Z_PK",
          help: ["give the row with the highest Z_PK a smaller one first"])
      ]
    case .failedChecks(let checks): checks.map(\.diagnostic)
    case .losses(let losses): [Self.diagnostic(of: losses)]
    case .unknownLoss(let name, let known):
      [
        Diagnostic(
          .error, "migrate.unknown-loss", .unknownLoss(name), cause: .notFound
        ).didYouMean(name, among: known, elseListing: "what can be lost is")
      ]
    case .noSpace(let folder, let needed, let free):
      [
        Diagnostic(
          .error, "migrate.no-space",
          "\(ByteCount.text(needed)) are needed in '\(folder)', and \(ByteCount.text(free)) are free",
          cause: .inputOutput
        ).helping(.migration(.moveBackup))
      ]
    case .unproved(let differences):
      [
        Diagnostic(
          .error, "migrate.unproved",
          "rolled back, since rows are not what they were: "
            + differences.map(\.sentence).joined(separator: "; "), cause: .bug,
          help: Self.bugHelp)
      ]
    case .schema(let differences):
      [
        Diagnostic(
          .error, "migrate.schema",
          "rolled back, since the schema is not that of a fresh store: "
            + differences.map(\.sentence).joined(separator: "; "), cause: .bug,
          help: Self.bugHelp)
      ]
    case .step(let purpose, let error): Self.diagnostics(of: error, in: purpose)
    case .unfitStore(let purpose, let error): Self.diagnostics(of: error, in: purpose)
    }
  }

  private static func diagnostics(
    of error: any DiagnosableError, in purpose: String
  ) -> [Diagnostic] {
    error.diagnostics.map { $0.helping("in the step that \(purpose); the store is as it was") }
  }

  private static let bugHelp: [Remedy] = [
    "the store is as it was; this is a bug in storetool: please report it with both model versions"
  ]

  private static func diagnostic(of losses: [Loss]) -> Diagnostic {
    let list = losses.map { "\($0.name) (\($0.count))" }.joined(separator: ", ")
    return Diagnostic(
      .error, "migrate.loss", "the target version has no place for what is in the store: \(list)",
      help: [.migration(.allowLoss(losses.map(\.name)))])
  }
}

extension FailedCheck {
  package var diagnostic: Diagnostic {
    let noun = if case .duplicates = problem { "group" } else { "row" }
    let number = count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    var diagnostic = Diagnostic(.error, problem.code, "\(problem.sentence): \(number)")
    for offender in offenders {
      if let group = offender.group {
        diagnostic = diagnostic.helping("\(group.text)")
        continue
      }
      let value = offender.value.map { ": \($0.literal)" } ?? ""
      diagnostic = diagnostic.helping("\(offender.id)\(value)")
    }
    if count > offenders.count {
      diagnostic = diagnostic.helping("and \(count - offenders.count) more")
    }
    return problem.remedy.map { diagnostic.helping($0) } ?? diagnostic
  }
}

extension FailedCheck.Offender.Group {
  /// `'a', 1: 3 rows, x-coredata://…/Item/p1, p2, p4`
  fileprivate var text: String {
    let keys = ids.dropFirst().compactMap { $0.split(separator: "/").last }
    let list = ([ids.first ?? ""] + keys.map(String.init)).joined(separator: ", ")
    return "\(values.map(\.literal).joined(separator: ", ")): \(count) rows, \(list)"
      + (count > ids.count ? ", …" : "")
  }
}

extension ProofDifference {
  /// `Item.name: 1000 values before, 999 after`
  package var sentence: String {
    switch kind {
    case .rows(let before, let after): "\(subject): \(before) rows before, \(after) after"
    case .keys: "\(subject): other keys"
    case .values(let column, let before, let after):
      "\(subject).\(column): \(before) values before, \(after) after"
    case .contents(let column): "\(subject).\(column): other values"
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
