import SQLiteAccess

/// The columns of an entity's table, classified by their names, types and indexes.
struct TableReading {
  struct Attribute {
    var column: String
    /// The name of the property in upper case.
    var name: String
    var declaredType: String
  }

  /// The column of a to-one relationship.
  struct Key {
    var column: String
    var name: String
    /// The number of the destination in the name of the companion `Z<n>_NAME`, or nil without a companion.
    var destination: Int64?
    /// Whether a companion contains positions for an ordered inverse.
    var isOrdered: Bool
    /// Whether the column has companions that only keys have.
    var isCertain: Bool { destination != nil || isOrdered }
  }

  /// The first group of adjacent BLOB columns, in the order of the table.
  private(set) var blobRun: [String] = []

  /// The column of a to-many relationship without an inverse, in the table of its members.
  struct HiddenKey {
    var column: String
    var owner: Int64
    var name: String
    var isOrdered: Bool
  }

  let table: String
  private(set) var attributes: [Attribute] = []
  private(set) var keys: [Key] = []
  private(set) var hiddenKeys: [HiddenKey] = []
  private(set) var unexplained: [UnexplainedPart] = []

  init(_ table: DatabaseSchema.Table, isOneEntity: Bool) {
    self.table = table.name
    let names = Set(table.columnNames)
    let companions = Self.companions(among: names)
    let indexed = table.keyColumns
    blobRun = table.columns.drop { !$0.isBlob }.prefix(while: \.isBlob).map(\.name)
    let settled = isOneEntity ? Self.attributesByOrder(in: table, indexed) : []
    for column in table.columns where !FixedColumn.ofEveryRow.contains(column.name) {
      switch StoredName(column: column.name) {
      case .property(let name):
        let key = Key(
          column: column.name, name: name, destination: companions[name],
          isOrdered: names.contains(Self.orderColumn(ofKey: name)))
        place(
          key, column, mayBeKey: indexed.contains(column.name) && !settled.contains(column.name))
      case .numbered(let number, let name):
        // `Z2_NAME` is a companion of `ZNAME`, with which it is read.
        guard !(name.hasPrefix("_") && names.contains("Z\(name.dropFirst())")) else { break }
        guard name == name.uppercased() else {
          noteUnknown(column.name)
          break
        }
        hiddenKeys.append(
          HiddenKey(
            column: column.name, owner: number, name: name,
            isOrdered: names.contains(Self.orderColumn(ofKey: "\(number)\(name)"))))
      case .order(let name) where names.contains("Z\(name)"): break
      case .numberedOrder(let number, let name) where names.contains("Z\(number)\(name)"): break
      case .order, .numberedOrder, nil:
        noteUnknown(column.name)
      }
    }
  }

  private mutating func noteUnknown(_ column: String) {
    unexplained.append(UnexplainedPart(name: "\(table).\(column)", reason: .unknownForm))
  }

  private static func orderColumn(ofKey name: String) -> String {
    FixedColumn.order(beside: "Z_\(name)")
  }

  private mutating func place(
    _ key: Key, _ column: DatabaseSchema.Column, mayBeKey: Bool
  ) {
    guard key.name.lowercased().isIdentifier, StoredName.column(of: key.name) == key.column else {
      noteUnknown(key.column)
      return
    }
    if column.isInteger, key.isCertain || mayBeKey {
      keys.append(key)
    } else {
      attributes.append(
        Attribute(column: key.column, name: key.name, declaredType: column.declaredType))
    }
  }

  /// Returns the number n of each companion `Z<n>_NAME`, by `NAME`.
  private static func companions(among columns: Set<String>) -> [String: Int64] {
    var numbers: [String: Int64] = [:]
    for column in columns {
      guard case .numbered(let number, let name)? = StoredName(column: column),
        name.hasPrefix("_")
      else { continue }
      let key = String(name.dropFirst())
      numbers[key] = min(number, numbers[key] ?? .max)
    }
    return numbers
  }

  /// Returns the integer columns that must be attributes because of their order. In a table of one entity, integer
  /// attributes are before keys, so an indexed column before a column without an index isn't a key
  /// (docs/formats/store-layout.md, "Column order").
  private static func attributesByOrder(
    in table: DatabaseSchema.Table, _ indexed: Set<String>
  ) -> Set<String> {
    let run = table.columns.drop { FixedColumn.ofEveryRow.contains($0.name) }
      .prefix(while: \.isInteger).map(\.name)
    let plain = run.lastIndex { name in
      guard case .property? = StoredName(column: name) else { return false }
      return !indexed.contains(name)
    }
    return plain.map { Set(run[...$0]) } ?? []
  }

  /// Changes a key to an attribute.
  mutating func makeAttribute(ofKey column: String) {
    guard let index = keys.firstIndex(where: { $0.column == column }) else { return }
    let key = keys.remove(at: index)
    attributes.append(
      Attribute(
        column: key.column, name: key.name, declaredType: DeclaredType.integer.rawValue))
  }
}

extension DatabaseSchema.Column {
  fileprivate var isBlob: Bool { declaredType == DeclaredType.blob.rawValue }

  var isInteger: Bool { declaredType.uppercased() == DeclaredType.integer.rawValue }
}

extension DatabaseSchema.Table {
  /// The columns with an index in the form that all keys have.
  fileprivate var keyColumns: Set<String> {
    let plain = indexes.filter { index in
      guard !index.isUnique, !index.isPartial, let column = index.columns.first else {
        return false
      }
      return SchemaLabel.isPlain(index, of: column)
    }
    return Set(plain.flatMap(\.columns))
  }
}
