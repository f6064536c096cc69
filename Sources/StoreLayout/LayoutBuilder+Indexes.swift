import SQLiteAccess
import StoreModel
import StorePredicate

extension LayoutBuilder {
  /// Returns the indexes of a table as in the newest frameworks. Older frameworks created fewer indexes or used other
  /// names (docs/formats/store-layout.md, "Indexes").
  ///
  /// - Parameters:
  ///   - members: the entities of the table in the order of their numbers.
  ///   - keys: the `keyColumns` of the table.
  mutating func indexes(
    of root: EntityDescription, _ members: [EntityDescription], keys: Set<String>
  ) -> [IndexLayout] {
    let table = table(of: root)
    var indexes = keyIndexes(of: table, keys)
    if members.count > 1, root.userInfo[EntityIndexKey.name] != "YES" {
      indexes.append(plainIndex(on: FixedColumn.entity, of: table))
    }
    for entity in members { indexes += uniqueIndexes(of: entity) }
    for entity in members { indexes += fetchIndexes(of: entity) }
    var pool: Set<String> = []
    return indexes.filter { pool.insert($0.name).inserted }
  }

  /// The columns with keys of other rows, by table.
  var keyColumns: [String: Set<String>] {
    var keys: [String: Set<String>] = [:]
    for case .column(let key) in toMany.values { keys[key.table, default: []].insert(key.column) }
    for (key, place) in toOne {
      guard let entity = model.entity(named: key.entity) else { continue }
      keys[table(of: entity), default: []].insert(place.column)
    }
    return keys
  }

  /// Returns an index for each column with keys of other rows.
  private func keyIndexes(of table: String, _ keys: Set<String>) -> [IndexLayout] {
    columns[table, default: []].sorted { $0.place < $1.place }.map(\.column.name)
      .filter(keys.contains).map { plainIndex(on: $0, of: table) }
  }

  private func plainIndex(on column: String, of table: String) -> IndexLayout {
    IndexLayout(
      name: "\(table)_\(column)_INDEX", isUnique: false,
      columns: [.init(name: column, isAscending: nil)])
  }

  private func uniqueIndexes(of entity: EntityDescription) -> [IndexLayout] {
    entity.uniquenessConstraints.compactMap { properties in
      index(
        "Z_\(entity.name)_UNIQUE_\(properties.joined(separator: "_"))", isUnique: true,
        properties.map { ($0, true) }, of: entity)
    }
  }

  private mutating func fetchIndexes(of entity: EntityDescription) -> [IndexLayout] {
    let flagged = entity.attributes.filter(\.isIndexed).compactMap {
      index("Z_\(entity.name)_\($0.name)", [($0.name, true)], of: entity)
    }
    return flagged + entity.indexes.flatMap { indexes(for: $0, of: entity) }
  }

  private mutating func indexes(for fetchIndex: FetchIndex, of entity: EntityDescription)
    -> [IndexLayout]
  {
    guard let columns = columns(of: fetchIndex, of: entity) else { return [] }
    let named = IndexLayout(
      name: "Z_\(entity.name)_\(fetchIndex.name)", isUnique: false, columns: columns)
    guard fetchIndex.partialPredicate == nil else {
      return partialIndex(fetchIndex, named, of: entity)
    }
    guard fetchIndex.origin == .fetchIndex else {
      let names = fetchIndex.properties.joined(separator: "_")
      return [
        IndexLayout(name: "Z_\(entity.name)_\(names)", isUnique: false, columns: columns)
      ]
    }
    guard columns.count == 1, let property = fetchIndex.properties.first else { return [named] }
    // The column of a relationship already has its index.
    guard column(of: property, in: entity)?.isAttribute == true else { return [] }
    // Core Data creates a second index only if the first one is ascending (docs/formats/store-layout.md, "Indexes").
    guard columns[0].isAscending == true else { return [named] }
    let extra = index("Z_\(entity.name)_\(property)", [(property, true)], of: entity)
    return [extra, named].compactMap { $0 }
  }

  /// Returns the columns of the index's elements, or nil if an element doesn't have a column. Adds a message to `risks`
  /// for an element whose SQL no known store contains.
  private mutating func columns(
    of fetchIndex: FetchIndex, of entity: EntityDescription
  ) -> [IndexLayout.Column]? {
    var columns: [IndexLayout.Column] = []
    for element in fetchIndex.elements {
      let name: String
      switch (element.kind, element.target) {
      case (.binary, .property(let property)):
        guard let column = column(of: property, in: entity) else { return nil }
        name = column.name
      case (.binary, .expression("SELF", _)): name = FixedColumn.primaryKey
      case (.binary, .expression("entity", _)): name = FixedColumn.entity
      case (.rTree, _), (.binary, .expression):
        risks.append(
          "the index '\(fetchIndex.name)' of '\(entity.name)' is omitted: the form of R-tree"
            + " indexes, and of expressions other than SELF and entity, is unknown")
        return nil
      }
      columns.append(IndexLayout.Column(name: name, isAscending: element.isAscending))
    }
    return columns.isEmpty ? nil : columns
  }

  private mutating func partialIndex(
    _ fetchIndex: FetchIndex, _ index: IndexLayout, of entity: EntityDescription
  ) -> [IndexLayout] {
    let builder = self
    let condition = PartialIndexCondition { builder.column(of: $0, in: entity)?.name }
      .sql(of: fetchIndex.partialPredicate ?? "")
    guard let condition else {
      risks.append(
        "the partial index '\(fetchIndex.name)' of '\(entity.name)' is omitted: the SQL of its"
          + " condition is unknown; fetches work without it")
      return []
    }
    var made = index
    made.condition = condition
    return [made]
  }

  private func index(
    _ name: String, isUnique: Bool = false, _ properties: [(name: String, isAscending: Bool)],
    of entity: EntityDescription
  ) -> IndexLayout? {
    let columns = properties.compactMap { property in
      column(of: property.name, in: entity).map {
        IndexLayout.Column(name: $0.name, isAscending: property.isAscending)
      }
    }
    guard columns.count == properties.count, !columns.isEmpty else { return nil }
    return IndexLayout(name: name, isUnique: isUnique, columns: columns)
  }

  private func column(of property: String, in entity: EntityDescription) -> (
    name: String, isAttribute: Bool
  )? {
    if let attribute = find(property, of: entity, in: attributes) {
      return (attribute.column, true)
    }
    return find(property, of: entity, in: toOne).map { ($0.column, false) }
  }
}

extension FetchIndex {
  /// The names of the elements that are properties.
  fileprivate var properties: [String] {
    elements.compactMap { if case .property(let name) = $0.target { name } else { nil } }
  }
}

/// The key in the user info of a root entity that suppresses the index on `Z_ENT` with the value `YES`
/// (docs/formats/store-layout.md, "Indexes").
package enum EntityIndexKey {
  package static let name = "_NSEntityOmitSubentityColumnIndex"
}

/// The `WHERE` of a partial index in the form of known stores: `ZMESSAGEID > 0`,
/// `(ZDURATION <> 0 AND ZSESSION IS NOT NULL)`.
struct PartialIndexCondition {
  /// Returns the column of a property, or nil.
  var attributes: (String) -> String?

  /// Returns the condition of a predicate, or nil if the predicate contains anything except AND, OR, and comparisons of
  /// properties with Booleans, numbers, dates, texts and nil.
  func sql(of text: String) -> SQL? {
    do {
      return sql(of: try FormatPredicate(parsing: text))
    } catch {
      // `model check` reports predicates that can't be read. The index is omitted.
      return nil
    }
  }

  private func sql(of predicate: FormatPredicate) -> SQL? {
    switch predicate {
    case .comparison(let comparison): return sql(of: comparison)
    case .and(let members): return sql(of: members, joinedBy: " AND ")
    case .or(let members): return sql(of: members, joinedBy: " OR ")
    case .constant, .not: return nil
    }
  }

  private func sql(of members: [FormatPredicate], joinedBy word: SQL) -> SQL? {
    let conditions = members.compactMap(sql(of:))
    return conditions.count == members.count ? "(\(conditions.joined(word)))" : nil
  }

  private func sql(of comparison: FormatComparison) -> SQL? {
    guard comparison.modifier == .direct, comparison.options.isEmpty,
      let column = comparison.left.ownKey.flatMap(attributes),
      case .constant(let constant) = comparison.right.kind
    else { return nil }
    if case .null = constant { return sql(ofNil: column, comparison.operator) }
    guard let symbol = Self.symbols[comparison.operator], let value = literal(constant) else {
      return nil
    }
    return "\(name: column) \(symbol) \(value: value)"
  }

  private func sql(ofNil column: String, _ symbol: FormatComparison.Operator) -> SQL? {
    switch symbol {
    case .equal: "\(name: column) IS NULL"
    case .notEqual: "\(name: column) IS NOT NULL"
    default: nil
    }
  }

  private static let symbols: [FormatComparison.Operator: SQL] = [
    .equal: "=", .notEqual: "<>", .less: "<", .lessOrEqual: "<=", .greater: ">",
    .greaterOrEqual: ">=",
  ]

  private func literal(_ value: DataValue) -> SQLiteValue? {
    switch value {
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .integer(let number): .integer(number)
    case .double(let number), .date(let number): number.isFinite ? .real(number) : nil
    case .string(let text): .text(text)
    case .null, .uuid, .binary, .objectID: nil
    }
  }
}
