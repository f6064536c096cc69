import SQLiteAccess

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
    Set(tables.keys).union(fresh.tables.keys).sorted().flatMap { table in
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
    let missing = expected.filter { !found.contains($0) }
      .map { Difference(subject: table, found: nil, expected: $0.text) }
    let superfluous = found.filter { !expected.contains($0) }
      .map { Difference(subject: table, found: $0.text, expected: nil) }
    return superfluous + missing
  }

  private static func textDifferences(
    found: [String: String], expected: [String: String]
  ) -> [Difference] {
    Set(found.keys).union(expected.keys).sorted().compactMap { name in
      guard found[name] != expected[name] else { return nil }
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
