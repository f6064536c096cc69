import SQLiteAccess
import StorePredicate

/// A statement about one row, without the row's key and entity number. Its text is the same for all rows, so SQLite
/// compiles it once.
struct RowStatement: Sendable {
  /// The key in a statement from which a `RowStatement` is created.
  static let key: Int64 = 9_123_456_789_012_345_671
  /// The entity number in such a statement.
  static let entity: Int64 = 9_123_456_789_012_345_673

  private let sql: RenderedSQL

  init(_ sql: SQL) {
    self.sql = RenderedSQL(sql)
  }

  /// Returns the statement for a row.
  ///
  /// - Parameters:
  ///   - first: values that replace the first values of the statement.
  ///   - last: values that replace the last values of the statement.
  func bound(
    to key: Int64, _ entity: Int64 = 0, first: [SQLiteValue] = [], last: [SQLiteValue] = []
  ) -> RenderedSQL {
    let middle = sql.values.dropFirst(first.count).dropLast(last.count).map {
      value -> SQLiteValue in
      switch value {
      case .integer(Self.key): .integer(key)
      case .integer(Self.entity): .integer(entity)
      default: value
      }
    }
    return sql.binding(first + middle + last)
  }

  /// Returns the predicate for the row of which an example of the statement is compiled.
  static func predicate(for entity: String) -> FormatPredicate {
    let id = ObjectID(store: nil, entity: entity, primaryKey: key)
    return .comparison(
      FormatComparison(FormatExpression(.selfObject), .equal, .value(.objectID(id))))
  }
}
