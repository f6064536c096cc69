package import StoreDiagnostics
import PredicateSQL
import SQLiteAccess
import StoreSQL

/// Why a request can't be said in the SQL of an engine.
package enum ScriptError: DiagnosableError, Hashable {
  /// A statement calls a function that this program makes known to its own connections.
  case ownFunction(String, purpose: String?)
  case tooLong(purpose: String?, bytes: Int, limit: Int)
  /// The engine does not take the statement, for this reason.
  case refused(SQLDialect, purpose: String?, sql: String, reason: String)
  /// What the script asks for at its beginning does not hold here.
  case condition(String)
  /// The store has a table of a name that a script needs.
  case nameTaken(String)
  /// A script has begun in this store and not come to its end.
  case unfinished(table: String)

  /// How the error of a statement begins that asks for a condition.
  static let conditionMark = "storetool: "

  package var diagnostics: [Diagnostic] {
    [Diagnostic(.error, code, message, cause: .invalid, help: help.map { .text($0) })]
  }

  private var code: String {
    switch self {
    case .ownFunction: "script.own-function"
    case .tooLong: "script.too-long"
    case .refused: "script.refused"
    case .condition: "script.condition"
    case .nameTaken: "script.name-taken"
    case .unfinished: "script.unfinished"
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
    case .tooLong(let purpose, let bytes, let limit):
      "a statement has \(bytes) bytes and the engine takes \(limit)" + Self.place(purpose)
    case .refused(let dialect, let purpose, let sql, let reason):
      "\(dialect.rawValue) does not take a statement: \(reason)" + Self.place(purpose) + ": \(sql)"
    case .condition(let words): "it can't be done in this store: \(words)"
    case .nameTaken(let table):
      "the store has a table '\(table)', which the script needs for itself"
    case .unfinished(let table):
      "the store has a table '\(table)': a script has begun here and not come to its end"
    }
  }

  private var help: [String] {
    switch self {
    case .ownFunction(let name, _) where SQLFunctions.wording(of: name) != nil:
      ["say it by other operators, or leave it to this program, on the store itself"]
    case .ownFunction:
      ["the store's derived attributes are kept by triggers that only Core Data serves"]
    case .tooLong: ["only values can be sent in pieces"]
    case .refused, .condition: []
    case .nameTaken: ["rename it, or choose the dialect 'sqlite', which needs no such table"]
    case .unfinished:
      ["send the rest of that script first, and drop the table where it was given up"]
    }
  }

  private static func place(_ purpose: String?) -> String { purpose.map { " (\($0))" } ?? "" }
}

extension ScriptError {
  /// What an engine says of a statement, in our terms.
  init(_ error: DatabaseError, of statement: SQLScript.Statement, for dialect: SQLDialect) {
    let words = Self.words(of: error)
    if let name = words.remainder(behind: "no such function: ") {
      self = .ownFunction(name, purpose: statement.purpose)
    } else if let start = words.firstRange(of: Self.conditionMark)?.upperBound {
      // SQLite puts the path between quotes.
      let rest = words[start...]
      self = .condition(String(rest.hasSuffix("'") ? rest.dropLast() : rest))
    } else {
      let text = statement.sql.literalText
      let shown = text.count > 200 ? text.prefix(200) + "…" : text[...]
      self = .refused(dialect, purpose: statement.purpose, sql: String(shown), reason: words)
    }
  }

  private static func words(of error: DatabaseError) -> String {
    switch error {
    case .noPermission: "transactions, PRAGMA, ATTACH and temporary tables are not for scripts"
    case .unfitValue(_, let message), .tooComplex(let message), .constraint(_, let message):
      message
    default: error.words ?? error.diagnostics.first?.message ?? "\(error)"
    }
  }
}

extension String {
  fileprivate func remainder(behind prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
