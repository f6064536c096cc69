package import SQLiteAccess

/// `Z_OPT`: one more for each save that changes a row.
///
/// Behind the greatest integer comes 1 again. Core Data takes a row for changed by somebody else when
/// its number differs, so it must not stay; and one more would be a REAL that no other one changes.
package enum RowVersions {
  /// `Z_OPT = Z_OPT % 9223372036854775807 + 1`
  package static let raising: SQL = "\(name: FixedColumn.version) = \(next())"

  /// The version after a row's own; NULL for NULL.
  ///
  /// - Parameter table: where the column needs its table's name.
  package static func next(of table: String? = nil) -> SQL {
    let version = table.map { SQL.name($0, FixedColumn.version) } ?? .name(FixedColumn.version)
    return "\(version) % 9223372036854775807 + 1"
  }
}
