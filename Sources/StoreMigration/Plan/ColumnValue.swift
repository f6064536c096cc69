import SQLiteAccess

/// What a column of a target row is made from, over the source row `t0`.
enum ColumnValue: Hashable {
  case null
  /// The source row's column as it is.
  case column(String)
  /// Depends on the source row's own columns alone, so an UPDATE in place can compute it: mostly
  /// from one of them, which may then become the target's.
  case local(SQL, needed: Need = .always, from: String? = nil)
  /// Looks at other rows, which an update in place would already have changed.
  case remote(SQL)

  /// Which rows an update has to touch.
  enum Need: Hashable {
    case always
    /// Only those where this column is NULL.
    case whereNull(String)
  }

  static let row = "t0"

  var sql: SQL {
    switch self {
    case .null: "NULL"
    case .column(let name): .name(Self.row, name)
    case .local(let sql, _, _), .remote(let sql): sql
    }
  }

  var isRemote: Bool { if case .remote = self { true } else { false } }

  /// The value tells something of the source row, so a proof has to look at it.
  var isKept: Bool {
    switch self {
    case .null: false
    case .column, .remote: true
    case .local(let sql, _, _): sql.mentions(Self.row)
    }
  }
}

extension SQL {
  fileprivate func mentions(_ alias: String) -> Bool { segments.contains(.name(alias)) }

  static func integer(_ number: Int64) -> SQL { .value(.integer(number)) }

  /// `IN (1, 2)`
  static func list(_ numbers: some Sequence<Int64>) -> SQL {
    "(\(numbers.map(SQL.integer).joined(", ")))"
  }
}

extension ColumnValue {
  /// The source's column that it is, or is computed from.
  var sourceColumn: String? {
    switch self {
    case .column(let name), .local(_, .whereNull(let name), _): name
    case .local(_, .always, let name): name
    case .null, .remote: nil
    }
  }
}
