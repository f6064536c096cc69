import StoreSQL

/// The form of a binary value where the attribute allows external storage: a first byte 1 and the
/// bytes, or 2 and the name of a file (docs/formats/store-layout.md).
enum ExternalBytes {
  static func wrapped(_ value: SQL) -> SQL { "CAST(x'01' || \(value) AS BLOB)" }

  static func unwrapped(_ value: SQL) -> SQL { "substr(\(value), 2)" }

  /// True for a value that lies in a file.
  static func isInFile(_ value: SQL) -> SQL { "substr(\(value), 1, 1) = x'02'" }
}
