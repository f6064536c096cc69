import SQLiteAccess

/// Creates the triggers of a derived attribute. Their text is exactly Core Data's (docs/formats/store-layout.md,
/// "Derived attributes").
///
/// At its end, each trigger passes the changed row to an SQL function that Core Data registers. Other writers must
/// register functions with these names.
struct DerivationTriggers {
  /// The prefix of the names of Core Data's triggers for derived attributes.
  static let prefix = "Z_DA_"

  /// The SQL functions that the triggers call.
  static let functions = [
    "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
  ]

  var entity: String
  var attribute: String
  var table: String
  var column: String
  /// The numbers of the entity and its subentities, if other entities share the table.
  var numbers: ClosedRange<Int64>?

  /// Returns the triggers that store the number of rows in the table `members` whose column `key` refers to the
  /// attribute's row.
  func count(of key: String, in members: String) -> [TriggerLayout] {
    let plusOne: SQL = "\(name: column) + 1"
    let firstPlusOne: SQL = "IFNULL(\(name: column), 0) + 1"
    let minusOne: SQL = "\(name: column) - 1"
    let update = WriteEvent.update([key])
    func trigger(
      _ suffix: String, after event: WriteEvent, _ row: SQL, set value: SQL
    ) -> TriggerLayout {
      let owner: SQL = "Z_PK = \(row).\(name: key)\(range("", and: true))"
      return make(
        suffix, on: members, after: event, when: "(\(row).\(name: key) NOT NULL)", set: value,
        where: owner)
    }
    let counted: SQL =
      "(SELECT IFNULL(COUNT(\(name: key)), 0) FROM \(name: members) WHERE \(name: key) = NEW.Z_PK)"
    return [
      trigger("PARAMETER_INSERT", after: .insert, "NEW", set: firstPlusOne),
      trigger("PARAMETER_UPDATE_INCREMENT", after: update, "NEW", set: plusOne),
      trigger("PARAMETER_UPDATE_DECREMENT", after: update, "OLD", set: minusOne),
      trigger("PARAMETER_DELETE", after: .delete, "OLD", set: minusOne),
      make(
        "SOURCE_INSERT", on: table, after: .insert, when: range("NEW."), set: counted,
        where: "Z_PK = NEW.Z_PK", reportsInsertion: true),
    ]
  }

  /// Returns the triggers that copy the column `value` from the row in the table `destination` that the column `key`
  /// refers to.
  func copy(of value: String, from destination: String, by key: String) -> [TriggerLayout] {
    let looked: SQL =
      "(SELECT \(name: value) FROM \(name: destination) WHERE Z_PK = NEW.\(name: key))"
    let owners: SQL = "\(name: key) = NEW.Z_PK\(range("", and: true))"
    let new: SQL = "NEW.\(name: value)"
    return [
      make(
        "SOURCE_INSERT", on: table, after: .insert, when: range("NEW."), set: looked,
        where: "Z_PK = NEW.Z_PK", reportsInsertion: true),
      make(
        "SOURCE_UPDATE", on: table, after: .update([key]), when: range("NEW."),
        set: looked, where: "Z_PK = NEW.Z_PK"),
      make(
        "PARAMETER_INSERT", on: destination, after: .insert, when: SQL(), set: new,
        where: owners, reportsInsertion: true),
      make(
        "PARAMETER_UPDATE", on: destination, after: .update([value]), when: SQL(),
        set: new, where: owners),
    ]
  }

  private func make(
    _ suffix: String, on trigger: String, after event: WriteEvent, when guarded: SQL,
    set value: SQL,
    where condition: SQL, reportsInsertion: Bool = false
  ) -> TriggerLayout {
    let name = "\(Self.prefix)\(trigger)_\(entity)_\(attribute)_\(suffix)"
    let when: SQL = guarded.isEmpty ? SQL() : " WHEN \(guarded)"
    let function = SQL.name(Self.functions[reportsInsertion ? 1 : 0])
    let report: SQL =
      "\(function)(\(value: .text(table)), Z_ENT, Z_PK, \(value: .text(attribute)), \(name: column))"
    return TriggerLayout(
      name: name, table: trigger, event: event,
      sql: """
        CREATE TRIGGER \(name: name) AFTER \(event.sql) ON \(name: trigger) FOR EACH ROW\(when) BEGIN \
        UPDATE \(name: table) SET \(name: column) = \(value) WHERE \(condition); \
        SELECT \(report) FROM \(name: table) WHERE \(condition); END
        """)
  }

  /// Returns the condition for rows of the entity, such as `1 <= Z_ENT AND Z_ENT <= 2`. It is empty if the table
  /// doesn't contain other entities.
  private func range(_ row: SQL, and: Bool = false) -> SQL {
    guard let numbers else { return SQL() }
    let (low, high) = (
      SQL.value(.integer(numbers.lowerBound)), SQL.value(.integer(numbers.upperBound))
    )
    let conjunction: SQL = and ? " AND " : ""
    return "\(conjunction)\(low) <= \(row)Z_ENT AND \(row)Z_ENT <= \(high)"
  }
}
