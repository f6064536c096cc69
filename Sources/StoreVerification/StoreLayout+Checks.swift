import PredicateSQL
import SQLiteAccess
import StoreCore
import StoreDiagnostics
import StoreLayout
import StoreModel

extension StoreLayout {
  /// Returns the checks of the rows. They only read existing columns, and only rows of entities that have the property,
  /// because a migration in place leaves values in the rows of other entities.
  func checks(in schema: StoreSchema) -> [VerificationCheck] {
    model.entities.flatMap { entity -> [VerificationCheck] in
      guard let place = self.entity(named: entity.name), schema.hasTable(place.table) else {
        return []
      }
      let checker = EntityChecks(entity: entity, place: place, layout: self, schema: schema)
      return checker.references + checker.partners + checker.requiredValues
        + checker.validTexts + checker.owners
        + checker.places + checker.uniqueness
    } + JoinTableChecks.all(in: self, schema).flatMap(\.checks)
      + memberCountChecks(in: schema) + rTreeChecks(in: schema)
      // These checks are last, so that derived values are repaired after their sources.
      + derivedValueChecks(in: schema)
  }

  private func rTreeChecks(in schema: StoreSchema) -> [VerificationCheck] {
    rTrees.filter { tree in
      schema.database.virtualTables[tree.name] != nil
        && ([FixedColumn.primaryKey, FixedColumn.entity] + tree.columns).allSatisfy {
          schema.hasColumn($0, in: tree.table)
        }
    }.flatMap { RTreeChecks(tree: $0, root: table(named: $0.table)?.root ?? "").checks }
  }

  private func memberCountChecks(in schema: StoreSchema) -> [VerificationCheck] {
    memberCountRules.filter { $0.isKept(by: schema) }.map { rule in
      VerificationCheck(
        finding: StoreFinding(
          .memberCount(minimum: rule.minimum, maximum: rule.maximum), entity: rule.owner.name,
          property: rule.property),
        cases: "SELECT entity, key FROM (\(rule.violations()))")
    }
  }

  /// Returns the numbers of the entities whose rows a table may contain.
  func numbers(in table: String) -> [Int64] {
    entities(in: table).filter { !$0.isAbstract }.map(\.number)
  }

  /// Returns the numbers of the other entities in the table of an entity, without the entity's descendants.
  func strangers(to entity: EntityLayout) -> [Int64] {
    numbers(in: entity.table).filter { !entity.subtree.contains($0) }
  }

  /// Returns the condition that `key` is the key of a row with one of the entity numbers.
  func isRow(of numbers: [Int64], in table: String, key: SQL) -> SQL {
    """
    EXISTS (SELECT 1 FROM \(name: table) AS d WHERE d.\(name: FixedColumn.primaryKey) = \(key) \
    AND \(PredicateCompiler.isOne(of: numbers, .name("d", FixedColumn.entity))))
    """
  }

  /// Returns the checks that compare derived attributes with their sources. Attributes with `now()` are omitted,
  /// because their values can't be computed again.
  func derivedValueChecks(in schema: StoreSchema) -> [VerificationCheck] {
    DerivedColumn.all(in: self, storeUUID: nil)
      .filter { derived in
        !derived.isTime && schema.hasColumn(derived.column, in: derived.table)
          && derived.sources(in: self).allSatisfy { schema.hasColumn($0.column, in: $0.table) }
      }
      .map { derived in
        VerificationCheck(
          finding: StoreFinding(
            .wrongDerivedValue, entity: derived.entity, property: derived.attribute.name),
          cases: VerificationCheck.rows(
            of: derived.table,
            where: """
              t.\(name: FixedColumn.entity) IN \(.list(derived.numbers)) \
              AND (\(derived.isWrong(in: "t")))
              """),
          repair: .init(statement: derived.update(rows: nil)))
      }
  }
}
