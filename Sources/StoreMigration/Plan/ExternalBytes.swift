import PredicateSQL
import SQLiteAccess

/// The form of a binary value where the attribute allows external storage: a first byte 1 and the
/// bytes, or 2 and the name of a file (docs/formats/store-layout.md).
enum ExternalBytes {
  static func wrapped(_ value: SQL) -> SQL { "CAST(x'01' || \(value) AS BLOB)" }

  static func unwrapped(_ value: SQL) -> SQL { StoredBytes.sql(value) }

  /// True for a value in a file that can't move into its row.
  static func isUnreadable(_ value: SQL) -> SQL {
    "\(isInFile(value)) AND \(StoredBytes.fileSize(value)) IS NULL"
  }

  /// The name of a value's file.
  static func fileName(_ value: SQL) -> SQL { "CAST(substr(\(value), 2, 36) AS TEXT)" }

  private static func isInFile(_ value: SQL) -> SQL { "substr(\(value), 1, 1) = x'02'" }
}
