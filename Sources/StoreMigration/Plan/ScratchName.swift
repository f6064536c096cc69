/// Names that tables, columns and indexes have in the middle of a migration, and none after it.
enum ScratchName {
  /// For what comes while the old one still has the name.
  static func new(_ name: String) -> String { "Z_NEW_\(name)" }

  /// For what makes way.
  static func old(_ name: String) -> String { "Z_OLD_\(name)" }

  /// For what the program's own step reads of the rows as they were.
  static func before(_ name: String) -> String { "Z_BEFORE_\(name)" }
}
