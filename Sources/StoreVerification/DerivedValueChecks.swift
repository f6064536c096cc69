import StoreCore
import StoreLayout
import StoreModel
import SQLiteAccess

extension StoreLayout {
  /// Whether each derived attribute has the value that it is derived from. A time (`now()`) can't be computed again.
  func derivedValueChecks(in schema: StoreSchema) -> [VerificationCheck] {
    DerivedColumn.all(in: self, storeUUID: nil)
      .filter { derived in
        !derived.isTime && schema.hasColumn(derived.column, in: derived.table)
          && derived.sources(in: self).allSatisfy { schema.hasColumn($0.column, in: $0.table) }
      }
      .map { derived in
        let own = derived.numbers.map { SQL.value(.integer($0)) }.joined(", ")
        return VerificationCheck(
          finding: Finding(
            .wrongDerivedValue, entity: derived.entity, property: derived.attribute.name),
          cases: """
            SELECT t.\(name: FixedColumn.entity) AS entity, t.\(name: FixedColumn.primaryKey) AS key \
            FROM \(name: derived.table) AS t WHERE t.\(name: FixedColumn.entity) IN (\(own)) \
            AND (\(derived.isWrong(in: "t")))
            """,
          repair: .init(statement: derived.update(rows: nil)))
      }
  }
}
