import StoreModel

/// The position of a column in Core Data's `CREATE TABLE`: by group, then by the number of the declaring entity,
/// attributes before relationships, then by name.
package struct ColumnPlace: Comparable {
  /// The groups of columns, in Core Data's order (docs/formats/store-layout.md, "Column order").
  package enum Group: Int {
    case integer, hiddenKey, order, floating, decimal, string, uri, uuid, archived, binary
  }

  /// Whether the position is for the property's own column or for its companion column, which directly follows it:
  /// `Z3_OWNER` after `ZOWNER`.
  enum Part: Int {
    case itself, companion
  }

  var group: Group
  var entity: Int64
  var isRelationship = false
  var name: String
  var part = Part.itself

  package static func < (left: ColumnPlace, right: ColumnPlace) -> Bool {
    if left.group != right.group { return left.group.rawValue < right.group.rawValue }
    if left.entity != right.entity { return left.entity < right.entity }
    if left.isRelationship != right.isRelationship { return right.isRelationship }
    if left.name != right.name { return left.name.precedes(right.name) }
    return left.part.rawValue < right.part.rawValue
  }
}

/// The declared type of a property's column. Core Data doesn't declare NOT NULL, foreign keys or checks.
package enum DeclaredType: String {
  case integer = "INTEGER"
  case timestamp = "TIMESTAMP"
  case float = "FLOAT"
  case decimal = "DECIMAL"
  case varchar = "VARCHAR"
  case blob = "BLOB"
}

extension AttributeType {
  /// The declared type and the group of the attribute's column. A composite itself has no column, but its
  /// elements have columns.
  package var storage: (declared: DeclaredType, group: ColumnPlace.Group) {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: (.integer, .integer)
    case .date: (.timestamp, .floating)
    case .double, .float: (.float, .floating)
    case .decimal: (.decimal, .decimal)
    case .string: (.varchar, .string)
    case .uri: (.varchar, .uri)
    case .uuid: (.blob, .uuid)
    case .transformable, .undefined, .objectID, .composite: (.blob, .archived)
    case .binary: (.blob, .binary)
    }
  }
}
