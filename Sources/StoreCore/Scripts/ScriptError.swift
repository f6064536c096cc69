package import StoreDiagnostics
import PredicateSQL
import SQLiteAccess

/// Why a request can't be printed as SQL.
package enum ScriptError: DiagnosableError, Hashable {
  /// A statement calls a function that this program makes known to its own connections.
  case ownFunction(String, purpose: String?)
  /// SQLite refuses the statement, for this reason.
  case refused(purpose: String?, sql: String, reason: String)
  /// A condition of the script doesn't hold in this store.
  case condition(String)

  /// How the error of a statement begins that asks for a condition.
  static let conditionMark = "storetool: "

  package var diagnostics: [Diagnostic] {
    [Diagnostic(.error, code, message, cause: .invalid, help: help.map { .text($0) })]
  }

  private var code: String {
    switch self {
    case .ownFunction: "script.own-function"
    case .refused: "script.refused"
    case .condition: "script.condition"
    }
  }

  private var message: String {
    switch self {
    case .ownFunction(let name, let purpose):
      if let wording = SQLFunctions.wording(of: name) {
        "\(wording) can't be said in SQL that other engines know: it needs \(name)"
          + Self.place(purpose)
      } else {
        "the statement fires a trigger of Core Data's, or calls a function, that needs \(name),"
          + " which other engines lack" + Self.place(purpose)
      }
    case .refused(let purpose, let sql, let reason):
      "SQLite refuses a statement: \(reason)" + Self.place(purpose) + ": \(sql)"
    case .condition(let words): "it can't be done in this store: \(words)"
    }
  }

  private var help: [String] {
    switch self {
    case .ownFunction(let name, _) where SQLFunctions.wording(of: name) != nil:
      ["say it by other operators, or leave it to this program, on the store itself"]
    case .ownFunction:
      ["the store's derived attributes are kept by triggers that only Core Data serves"]
    case .refused, .condition: []
    }
  }

  private static func place(_ purpose: String?) -> String { purpose.map { " (\($0))" } ?? "" }
}

extension ScriptError {
  /// Translates what SQLite reports of a statement.
  init(_ error: DatabaseError, of statement: SQLScript.Statement) {
    let words = Self.words(of: error)
    if let name = error.unknownFunction {
      self = .ownFunction(name, purpose: statement.purpose)
    } else if let start = words.firstRange(of: Self.conditionMark)?.upperBound {
      // SQLite puts the path between quotes.
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
