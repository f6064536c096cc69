import SQLiteAccess
import StoreLayout
package import StoreDiagnostics
import StoreModel
import StoreVerification

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
