import SQLiteAccess

/// Creates the triggers of an attribute that contains the number of related rows that match a condition. Their text is
/// exactly Core Data's (docs/formats/store-layout.md, "Counting attributes").
struct CountingTriggers {
  static let prefix = "ZT_"

  /// The SQL function that the triggers call.
  static let function = "\(functionPrefix)UpdateAffectedObjectValue"

  /// The prefix of the function's name. A trigger whose name begins with `ZT_` isn't Core Data's unless it calls such a
  /// function.
  static let functionPrefix = "NSCoreDataTrigger"

  /// The reference between the row with the number (the counting row) and the rows that it counts.
  enum Reference {
    /// A column of the counting row contains the key of the counted row.
    case own(String)
    /// A column of each counted row contains the key of the counting row.
    case counted(String)
  }

  var table: String
  var column: String
  /// The table of the counted rows.
  var counted: String
  var reference: Reference
  /// The comparisons of the condition: a column of the counted rows, then an operator and a value, such as `== 0`.
  var comparisons: [(column: String, rest: SQL)]

  func triggers() -> [TriggerLayout] {
    let changes = WriteEvent.update(comparisons.map(\.column))
    switch reference {
    case .counted(let key):
      let new: SQL = "NEW.\(name: key)"
      let old: SQL = "OLD.\(name: key)"
      return [
        make(
          "INSERT_INCREMENT", on: counted, after: .insert, when: condition("NEW."), set: plusOne,
          where: "\(new) = Z_PK", reporting: "Z_PK = \(new)"),
        make(
          "DELETE_DECREMENT", on: counted, after: .delete, when: condition("OLD."), set: minusOne,
          where: "\(old) = Z_PK", reporting: "Z_PK = \(old)"),
        make(
          "UPDATE_INCREMENT", on: counted, after: changes,
          when: "(\(condition("NEW."))) AND (\(isChanged)) AND (\(new) == \(old))", set: plusOne,
          where: "\(new) = Z_PK", reporting: "Z_PK = \(new)"),
        make(
          "UPDATE_DECREMENT", on: counted, after: changes,
          when: "(\(condition("OLD."))) AND (\(isChanged)) AND (\(old) == \(new))", set: minusOne,
          where: "\(old) = Z_PK", reporting: "Z_PK = \(new)"),
        make(
          "\(key)_UPDATE_INCREMENT", on: counted, after: .update([key]), forEachRow: false,
          when: "(\(condition("NEW."))) AND (\(isMoved(key, to: "NEW", from: "OLD")))",
          set: plusOne, where: "Z_PK = \(new)", reporting: "Z_PK = \(new)"),
        make(
          "\(key)_UPDATE_DECREMENT", on: counted, after: .update([key]), forEachRow: false,
          when: "(\(condition("OLD."))) AND (\(isMoved(key, to: "OLD", from: "NEW")))",
          set: minusOne, where: "Z_PK = \(old)", reporting: "Z_PK = \(old)"),
        insertion(counting: "(\(name: key) = NEW.Z_PK)"),
      ]
    case .own(let key):
      let new: SQL = "NEW.\(name: key)"
      let old: SQL = "OLD.\(name: key)"
      let isNew: SQL = "\(name: key) = NEW.Z_PK"
      return [
        make(
          "INSERT_INCREMENT", on: counted, after: .insert, when: condition("NEW."), set: plusOne,
          where: "NEW.Z_PK = \(name: key)", reporting: isNew),
        make(
          "DELETE_DECREMENT", on: counted, after: .delete, when: condition("OLD."), set: minusOne,
          where: "OLD.Z_PK = \(name: key)", reporting: "\(name: key) = OLD.Z_PK"),
        make(
          "UPDATE_INCREMENT", on: counted, after: changes,
          when: "(\(condition("NEW."))) AND (\(isChanged))", set: plusOne,
          where: "NEW.Z_PK = \(name: key)", reporting: isNew),
        make(
          "UPDATE_DECREMENT", on: counted, after: changes,
          when: "(\(condition("OLD."))) AND (\(isChanged))", set: minusOne,
          where: "OLD.Z_PK = \(name: key)", reporting: isNew),
        make(
          "\(key)_UPDATE_INCREMENT", on: table, after: .update([key]), forEachRow: false,
          when: "(\(isMoved(key, to: "NEW", from: "OLD")))",
          set: count("Z_PK = \(new)"), where: ofNewRow, reporting: ofNewRow),
        make(
          "\(key)_UPDATE_TO_NULL", on: table, after: .update([key]), forEachRow: false,
          when: "(\(new) IS NULL AND \(old) IS NOT NULL)", set: "0", where: ofNewRow,
          reporting: ofNewRow),
        insertion(counting: "(Z_PK = \(new))"),
      ]
    }
  }

  private let ofNewRow: SQL = "Z_PK = NEW.Z_PK"
  private var plusOne: SQL { "IFNULL(\(name: column),0) + 1" }
  private var minusOne: SQL { "MAX(0,IFNULL(\(name: column),0) - 1)" }

  private func insertion(counting rows: SQL) -> TriggerLayout {
    make(
      "\(table)_INSERT_INCREMENT", on: table, after: .insert, when: SQL(), set: count(rows),
      where: ofNewRow, reporting: ofNewRow)
  }

  private func count(_ rows: SQL) -> SQL {
    "(SELECT COUNT(Z_PK) FROM \(name: counted) WHERE \(rows) AND (\(condition(""))))"
  }

  private func condition(_ row: SQL) -> SQL {
    comparisons.map { "\(row)\(name: $0.column) \($0.rest)" as SQL }.joined(" AND ")
  }

  private var isChanged: SQL {
    comparisons.map { "NEW.\(name: $0.column) != OLD.\(name: $0.column)" as SQL }.joined(" OR ")
  }

  /// Returns the condition that an update changes the column `key` and that the column isn't NULL in the row `one`.
  private func isMoved(_ key: String, to one: SQL, from other: SQL) -> SQL {
    """
    (\(one).\(name: key) IS NOT NULL AND \(other).\(name: key) IS NULL) \
    OR (NEW.\(name: key) != OLD.\(name: key))
    """
  }

  private func make(
    _ suffix: String, on trigger: String, after event: WriteEvent, forEachRow: Bool = true,
    when guarded: SQL, set value: SQL, where condition: SQL, reporting rows: SQL
  ) -> TriggerLayout {
    let name = "\(Self.prefix)\(table)_\(column)_\(counted)_\(suffix)"
    let each: SQL = forEachRow ? " FOR EACH ROW" : ""
    let when: SQL = guarded.isEmpty ? SQL() : " WHEN \(guarded)"
    let report: SQL = """
      \(name: Self.function)(\(value: .text(table)), Z_ENT, Z_PK, \(value: .text(column)), \
      \(name: column))
      """
    return TriggerLayout(
      name: name, table: trigger, event: event,
      sql: """
        CREATE TRIGGER \(name: name) AFTER \(event.sql) ON \(name: trigger)\(each)\(when) BEGIN \
        UPDATE \(name: table) SET \(name: column) = \(value) WHERE \(condition); \
        SELECT \(report) FROM \(name: table) WHERE \(rows); END
        """)
  }
}
