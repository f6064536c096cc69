import Foundation
import SQLiteAccess
import StoreLayout

extension DatabaseSchema.Table {
  /// It has an index that belongs to a UNIQUE or PRIMARY KEY clause, which only a new table sheds.
  var hasAutomaticIndex: Bool { indexes.contains { $0.definition == nil } }
}

extension DatabaseSchema.Index {
  /// Without its condition, which a layout has as SQL.
  var layout: IndexLayout {
    IndexLayout(
      name: name, isUnique: isUnique,
      columns: parts.map { .init(name: $0.column ?? "", isAscending: $0.isAscending) })
  }

  /// The condition of a `CREATE INDEX`, as Core Data and this program write it.
  var condition: String? {
    definition.flatMap { text in text.range(of: ") WHERE ").map { String(text[$0.upperBound...]) } }
  }
}

extension StoreLayout {
  /// With the tables that they are on.
  var allIndexes: [(table: String, index: IndexLayout)] {
    tables.flatMap { table in table.indexes.map { (table.name, $0) } }
      + joinTables.compactMap { table in table.index.map { (table.name, $0) } }
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
