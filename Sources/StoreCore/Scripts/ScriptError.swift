package import StoreDiagnostics
import PredicateSQL
import SQLiteAccess

/// The reason why a request can't be printed as SQL.
package enum ScriptError: DiagnosableError, Hashable {
  /// A statement calls a storetool function, which other connections don't have.
  case ownFunction(String, purpose: String?)
  /// SQLite rejects the statement for this reason.
  case refused(purpose: String?, sql: String, reason: String)
  /// A condition of the script isn't true in this store.
  case condition(String)

  /// The prefix of a condition's message in SQLite's error for a condition that isn't true.
  static let conditionMark = "storetool: "

  package var diagnostics: [DiagnosticMessage] { [diagnostic] }

  private var diagnostic: DiagnosticMessage {
    switch self {
    case .ownFunction(let name, let purpose):
      if let wording = SQLFunctions.wording(of: name) {
        DiagnosticMessage(
          .error, "script.own-function",
          "\(wording) can't be printed as standard SQL, because it requires \(name)"
            + Self.place(purpose),
          help: ["use other operators, or run the command on the store itself"])
      } else {
        DiagnosticMessage(
          .error, "script.own-function",
          "the statement, or a trigger of Core Data that it fires, calls \(name), a function that other"
            + " SQLite programs don't have" + Self.place(purpose),
          help: [
            "triggers update the store's derived attributes with functions that only Core Data has"
          ])
      }
    case .refused(let purpose, let sql, let reason):
      DiagnosticMessage(
        .error, "script.refused",
        "SQLite refuses a statement: \(reason)" + Self.place(purpose) + ": \(sql)")
    case .condition(let words):
      DiagnosticMessage(
        .error, "script.condition", "the request would fail in this store: \(words)")
    }
  }

  private static func place(_ purpose: String?) -> String {
    purpose.map { ", in the step '\($0)'" } ?? ""
  }
}

extension ScriptError {
  /// Converts SQLite's error of a statement.
  init(_ error: DatabaseError, of statement: SQLScript.Statement) {
    let words = Self.words(of: error)
    if let name = error.unknownFunction {
      self = .ownFunction(name, purpose: statement.purpose)
    } else if let start = words.firstRange(of: Self.conditionMark)?.upperBound {
      // SQLite's error quotes the JSON path, which ends with the condition's message.
      let rest = words[start...]
      self = .condition(String(rest.hasSuffix("'") ? rest.dropLast() : rest))
    } else {
      let text = statement.sql.literalText
      let shown = text.count > 200 ? text.prefix(200) + "…" : text[...]
      self = .refused(purpose: statement.purpose, sql: String(shown), reason: words)
    }
  }

  private static func words(of error: DatabaseError) -> String {
    switch error {
    case .unfitValue(_, let message), .tooComplex(let message), .constraint(_, let message):
      message
    default: error.words ?? error.diagnostics.first?.message ?? "\(error)"
    }
  }
}
