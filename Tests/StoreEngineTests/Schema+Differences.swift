import Foundation
import StoreDiagnostics

extension Schema {
  struct Difference: CustomStringConvertible {
    /// The table, or `entity <number>`.
    var subject: String
    var description: String
  }

  /// Returns the differences in tables, columns, types, primary keys and entity numbers. For stores that were never
  /// migrated in place, also compares the order of columns and the indexes.
  func differences(to ours: Schema) -> [Difference] {
    tableDifferences(to: ours) + numberDifferences(to: ours)
      + (isOriginal ? indexDifferences(to: ours) : [])
  }

  private func tableDifferences(to ours: Schema) -> [Difference] {
    Set(columns.keys).union(ours.columns.keys).sorted().compactMap { table in
      guard let real = columns[table] else {
        return Difference(subject: table, description: "\(table) is only ours")
      }
      guard let made = ours.columns[table] else {
        return Difference(subject: table, description: "\(table) is only the store's")
      }
      let keysDiffer = primaryKeys[table] != ours.primaryKeys[table]
      let columnsDiffer = isOriginal ? real != made : Set(real) != Set(made)
      guard keysDiffer || columnsDiffer else { return nil }
      return Difference(
        subject: table,
        description:
          "\(table) has \(real), ours \(made); keys \(primaryKeys[table] ?? []) and"
          + " \(ours.primaryKeys[table] ?? [])")
    }
  }

  private func numberDifferences(to ours: Schema) -> [Difference] {
    numbers.symmetricDifference(ours.numbers).sorted().map { entity in
      let number = entity.prefix { $0 != " " }
      return Difference(subject: "entity \(number)", description: "entity \(entity)")
    }
  }

  private func indexDifferences(to ours: Schema) -> [Difference] {
    let expected = Set(ours.indexes.compactMap { Index($0)?.asMade(by: frameworkVersion) })
    let texts =
      indexes.symmetricDifference(expected).map { ($0, indexes.contains($0)) }
      + triggers.symmetricDifference(ours.triggers).map { ($0, triggers.contains($0)) }
    return texts.sorted { $0.0 < $1.0 }.map { text, isReal in
      Difference(
        subject: Index(text)?.table ?? text,
        description: "only \(isReal ? "the store's" : "ours"): \(text)")
    }
  }
}

/// The parts of a `CREATE INDEX`.
private struct Index {
  var table: String
  var text: String
  var isUnique: Bool
  /// The columns without `COLLATE BINARY ASC`.
  var columns: [String]
  var isCollated: Bool

  init?(_ text: String) {
    let isUnique = text.hasPrefix("CREATE UNIQUE INDEX ")
    guard isUnique || text.hasPrefix("CREATE INDEX "), let on = text.range(of: " ON "),
      let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
    else { return nil }
    table = String(text[on.upperBound..<open].dropLast())
    self.text = text
    self.isUnique = isUnique
    let list = text[text.index(after: open)..<close]
    isCollated = list.contains(" COLLATE ")
    columns = list.split(separator: ",").map { column in
      String(column.drop { $0 == " " }.prefix { $0 != " " })
    }
  }

  /// Returns the statement of a version of Core Data. Version 637 added indexes to join tables, and 847 named indexes
  /// after the model.
  func asMade(by frameworkVersion: Int64) -> String? {
    if frameworkVersion < 637, table.hasPrefix("Z_") { return nil }
    guard frameworkVersion < 847, isCollated, !isUnique else { return text }
    let names = columns.joined(separator: "_")
    let suffix = columns.count == 1 ? "_INDEX" : ""
    return
      "CREATE INDEX \(table)_\(names)\(suffix) ON \(table) (\(columns.joined(separator: ", ")))"
  }
}
