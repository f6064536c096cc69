import PredicateSQL
import StoreLayout
import SQLiteAccess

extension StoreLayout {
  /// The entities whose rows a table may hold, by number.
  func numbers(in table: String) -> [Int64] {
    entities(in: table).filter { !$0.isAbstract }.map(\.number)
  }

  /// The entities that share a table with one, and are not below it.
  func strangers(to entity: EntityLayout) -> [Int64] {
    numbers(in: entity.table).filter { !entity.subtree.contains($0) }
  }

  /// Whether a key is one of a row of some entities.
  func isRow(of numbers: [Int64], in table: String, key: SQL) -> SQL {
    """
    EXISTS (SELECT 1 FROM \(name: table) AS d WHERE d.\(name: FixedColumn.primaryKey) = \(key) \
    AND \(PredicateCompiler.isOne(of: numbers, .name("d", FixedColumn.entity))))
    """
  }
}
