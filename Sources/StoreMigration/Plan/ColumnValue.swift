import SQLiteAccess

/// The value of a target row's column, as SQL over the source row with the alias `t0`.
enum ColumnValue: Hashable {
  case null
  /// The unchanged value of this column of the source row.
  case column(String)
  /// SQL that reads only columns of the source row itself, so an UPDATE in place can compute it. If the table is
  /// changed in place, the column `from` of the source can become the target's column. With `onlyForNull`, an update
  /// must change only rows in which this column is NULL.
  case local(SQL, from: String? = nil, onlyForNull: Bool = false)
  /// SQL that also reads other rows. An UPDATE in place can't compute it, because it may already have changed the other
  /// rows.
  case remote(SQL)

  static let row = "t0"

  var sql: SQL {
    switch self {
    case .null: "NULL"
    case .column(let name): .name(Self.row, name)
    case .local(let sql, _, _), .remote(let sql): sql
    }
  }

  var isRemote: Bool { if case .remote = self { true } else { false } }

  /// Whether the value depends on the source row. A proof only compares such values.
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
}

extension ColumnValue {
  /// The source column that contains the value, or from which the value is computed; nil if no such column is known.
  var sourceColumn: String? {
    switch self {
    case .column(let name): name
    case .local(_, let name, _): name
    case .null, .remote: nil
    }
  }
}
