package import SQLiteAccess

/// The meaning of a column's name in a store, as `LayoutBuilder` creates names.
///
/// The name contains the property's name only in upper case, and ends with a number if that name was already used.
package enum StoredName: Hashable, Sendable {
  /// `ZNAME`: an attribute or a to-one relationship.
  case property(String)
  /// `Z2NAME`: the hidden key of a to-many relationship of entity 2. If `ZNAME` exists, `Z2_NAME` is its companion
  /// column with the entity number of the to-one's destination.
  case numbered(Int64, String)
  /// `Z_FOK_NAME`: positions in the ordered to-many with the inverse `ZNAME`.
  case order(String)
  /// `Z_FOK_2NAME`: positions in the ordered to-many of a hidden key.
  case numberedOrder(Int64, String)

  /// The meaning of a column in the table of an entity, or nil for Core Data's own columns and unknown names.
  package init?(column: String) {
    guard column.hasPrefix("Z"), !FixedColumn.ofEveryRow.contains(column) else { return nil }
    let rest = column.dropFirst()
    if column.hasPrefix(Self.orderPrefix) {
      let ordered = column.dropFirst(Self.orderPrefix.count)
      self = Self.split(ordered).map(Self.numberedOrder) ?? .order(String(ordered))
    } else if let (number, name) = Self.split(rest) {
      self = .numbered(number, name)
    } else {
      guard let first = rest.first, !first.isNumber else { return nil }
      self = .property(String(rest))
    }
  }

  private static let orderPrefix = "Z_FOK_"

  /// Returns the entity number and the relationship of a join table such as `Z_2TAGS`, or of one of its columns.
  package static func join(_ name: String) -> (number: Int64, relationship: String)? {
    guard name.hasPrefix("Z_") else { return nil }
    return split(name.dropFirst(2))
  }

  /// The second column of the join table of a to-many relationship that is its own inverse.
  package static let reflexive = "REFLEXIVE"

  /// Splits `2NAME` into 2 and `NAME`.
  private static func split(_ text: Substring) -> (Int64, String)? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int64(digits), digits.count < text.count else { return nil }
    return (number, String(text.dropFirst(digits.count)))
  }

  /// Returns the table of a root entity.
  package static func table(ofRoot entity: String) -> String { "Z" + entity.uppercased() }

  /// Returns the name of a property's column, unless another column already uses it.
  package static func column(of property: String) -> String { "Z" + property.uppercased() }
}

extension FixedColumn {
  /// The first three columns of all entity tables.
  package static let ofEveryRow = [primaryKey, entity, version]
}

/// The information in the names of indexes and triggers: the spelling of property names, and the entity of a property.
package enum SchemaLabel {
  /// Returns the name in `Z_<Entity>_<name>` or `Z_<Entity>_UNIQUE_<name>`, or nil for an index with another name.
  package static func index(
    _ index: String, of entity: String
  ) -> (name: String, isUnique: Bool)? {
    let prefix = "Z_\(entity)_"
    guard index.hasPrefix(prefix) else { return nil }
    let name = index.dropFirst(prefix.count)
    guard name.hasPrefix(unique) else { return (String(name), false) }
    return (String(name.dropFirst(unique.count)), true)
  }

  private static let unique = "UNIQUE_"

  /// Returns whether the index has the form of the indexes on keys, `<TABLE>_<COLUMN>_INDEX`. In stores of framework
  /// versions before 847, an attribute that is "indexed" also has such an index (docs/formats/store-layout.md,
  /// "Indexes").
  package static func isPlain(_ index: DatabaseSchema.Index, of column: String) -> Bool {
    index.columns == [column] && index.name.hasSuffix("_\(column)_INDEX")
  }

  /// Returns the derived attribute in the name of a trigger, `Z_DA_<TABLE>_<Entity>_<attribute>_SOURCE_…`, or nil for a
  /// trigger with another name.
  package static func derivedAttribute(
    _ trigger: DatabaseSchema.Trigger, of entity: String
  ) -> String? {
    let prefix = "\(DerivationTriggers.prefix)\(trigger.table)_\(entity)_"
    guard trigger.name.hasPrefix(prefix) else { return nil }
    let rest = trigger.name.dropFirst(prefix.count)
    let marks = rest.indices.filter { index in
      ["_SOURCE_", "_PARAMETER_"].contains { rest[index...].hasPrefix($0) }
    }
    return marks.last.map { String(rest[..<$0]) }
  }
}

/// The used names of a table or a database.
///
/// A number is added to a name that is already used: `ZNAME`, `ZNAME1`, `ZNAME2`.
package struct NamePool {
  private var taken: Set<String> = []

  package init(_ taken: some Sequence<String> = []) {
    self.taken = Set(taken)
  }

  /// Reserves a name, with a number if it is already used, and returns it.
  package mutating func claim(_ base: String) -> String {
    var name = base
    var suffix = 0
    while !taken.insert(name).inserted {
      suffix += 1
      name = "\(base)\(suffix)"
    }
    return name
  }
}

extension String {
  /// Returns whether the name is `base`, byte by byte, or `base` with the number that is added after a name collision.
  func isName(_ base: String) -> Bool {
    utf8.starts(with: base.utf8)
      && utf8.dropFirst(base.utf8.count).allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }
}
