import SQLiteAccess
import StoreDiagnostics

extension SchemaSnapshot {
  /// Something that two snapshots do not share: a table, column, index or trigger.
  package struct Difference: Hashable, Sendable {
    /// The table that it is about; for indexes and triggers their own name.
    package var subject: String
    /// What this one has; nil when it has nothing of that name.
    package var found: String?
    /// What the other one has.
    package var expected: String?
  }

  /// What keeps this from being the other one. The order of columns does not count.
  package func differences(to fresh: SchemaSnapshot) -> [Difference] {
    (tables.keys + fresh.tables.keys).exact.sorted().map(\.text).flatMap { table in
      Self.columnDifferences(of: table, found: tables[table], expected: fresh.tables[table])
    } + Self.textDifferences(found: indexes, expected: fresh.indexes)
      + Self.textDifferences(found: triggers, expected: fresh.triggers)
  }

  private static func columnDifferences(
    of table: String, found: [DatabaseSchema.Column]?, expected: [DatabaseSchema.Column]?
  ) -> [Difference] {
    guard let found, let expected else {
      return [
        Difference(
          subject: table, found: found.map { _ in "table" }, expected: expected.map { _ in "table" }
        )
      ]
    }
    let (before, after) = (found.map(\.text), expected.map(\.text))
    let missing = after.filter { !before.containsExactly($0) }
      .map { Difference(subject: table, found: nil, expected: $0) }
    let superfluous = before.filter { !after.containsExactly($0) }
      .map { Difference(subject: table, found: $0, expected: nil) }
    return superfluous + missing
  }

  private static func textDifferences(
    found: ExactDictionary<String>, expected: ExactDictionary<String>
  ) -> [Difference] {
    (found.keys + expected.keys).exact.sorted().map(\.text).compactMap { name in
      guard !found[name].isExactly(expected[name]) else { return nil }
      return Difference(subject: name, found: found[name], expected: expected[name])
    }
  }
}

extension DatabaseSchema.Column {
  /// `ZNAME VARCHAR`
  fileprivate var text: String {
    var text = "\(name) \(declaredType)"
    if isRequired { text += " NOT NULL" }
    if let defaultText { text += " DEFAULT \(defaultText)" }
    if keyPosition > 0 { text += ", \(keyPosition). of the primary key" }
    return text
  }
}
