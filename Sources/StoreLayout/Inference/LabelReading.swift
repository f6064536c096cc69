import SQLiteAccess
import StoreModel
import StoreDiagnostics

/// What the names of indexes and triggers tell: how properties are spelled, and which entities have them.
struct LabelReading {
  struct Index {
    var entity: Int64
    /// Behind the entity's name.
    var name: String
    var index: DatabaseSchema.Index
    var isConstraint: Bool
  }

  /// By table.
  private(set) var indexes: [String: [Index]] = [:]
  /// By table and column: the entity that an index or a trigger names; the one that declares the column is the same or an
  /// ancestor.
  private(set) var entities: [String: [String: Set<Int64>]] = [:]
  /// By table and column.
  private(set) var derived: [String: Set<String>] = [:]
  /// By column.
  private var spellings: [String: Set<String>] = [:]
  private var spellingsInTable: [String: [String: String]] = [:]

  init(_ schema: StoreSchema, _ forest: EntityForest) {
    for root in forest.roots {
      let name = forest.table(of: root)
      guard let table = schema.database.tables[name] else { continue }
      // The longest first: `Z_Item_Tag_name` is rather of `Item_Tag`.
      let members = forest.members(ofTable: name)
        .sorted { (forest.name($0).count, $1) > (forest.name($1).count, $0) }
      for index in table.indexes where index.definition != nil {
        read(index, of: name, members, forest)
      }
    }
    readTriggers(schema, forest)
    addEntityNames(forest)
  }

  private mutating func read(
    _ index: DatabaseSchema.Index, of table: String, _ members: [Int64], _ forest: EntityForest
  ) {
    for entity in members {
      guard let label = SchemaLabel.index(index.name, of: forest.name(entity)) else { continue }
      indexes[table, default: []].append(
        Index(
          entity: entity, name: label.name, index: index,
          isConstraint: label.isUnique && index.isUnique))
      for column in index.columns {
        entities[table, default: [:]][column, default: []].insert(entity)
      }
      note(Self.spellings(of: index.columns, in: label.name), in: table)
      return
    }
  }

  /// `ZFIRSTNAME`, `ZLASTNAME` in `firstName_lastName`; none when the index has a name of its own.
  private static func spellings(of columns: [String], in name: String) -> [String: String] {
    var rest = name[...]
    var found: [String: String] = [:]
    for column in columns {
      let length = column.count - 1
      let piece = rest.prefix(length)
      guard StoredName.column(of: String(piece)) == column else { return [:] }
      found[column] = String(piece)
      rest = rest.dropFirst(length)
      guard rest.isEmpty || rest.first == "_" else { return [:] }
      rest = rest.dropFirst()
    }
    return rest.isEmpty ? found : [:]
  }

  private mutating func note(_ found: [String: String], in table: String) {
    for (column, spelling) in found where spelling.isIdentifier {
      // One that says nothing new was written in upper case, or by another tool.
      spellings[column, default: []].insert(spelling)
      let known = spellingsInTable[table]?[column]
      spellingsInTable[table, default: [:]][column] = known.map { min($0, spelling) } ?? spelling
    }
  }

  private mutating func readTriggers(_ schema: StoreSchema, _ forest: EntityForest) {
    for trigger in schema.database.triggers {
      for entity in forest.numbers {
        let attribute = SchemaLabel.derivedAttribute(trigger, of: forest.name(entity))
        guard let attribute else { continue }
        let (table, column) = (forest.table(of: entity), StoredName.column(of: attribute))
        guard schema.hasColumn(column, in: table) else { continue }
        derived[table, default: []].insert(column)
        entities[table, default: [:]][column, default: []].insert(entity)
        note([column: attribute], in: table)
      }
    }
  }

  /// A relationship is often named after the entity that it leads to.
  private mutating func addEntityNames(_ forest: EntityForest) {
    for number in forest.numbers {
      let name = forest.name(number).lowerCamelCase
      for spelling in [name, name.plural] {
        spellings[StoredName.column(of: spelling), default: []].insert(spelling)
      }
    }
  }

  /// - Parameter name: in upper case.
  /// - Returns: the spelling, and whether the table itself tells it.
  func spelling(of name: String, in table: String) -> (name: String, isCertain: Bool) {
    let column = StoredName.column(of: name)
    if let known = spellingsInTable[table]?[column] { return (known, true) }
    let known = spellings[column, default: []].filter { StoredName.column(of: $0) == column }
    if known.count == 1, let only = known.first { return (only, false) }
    let lower = name.lowercased()
    return (StoredName.column(of: lower) == column ? lower : name, false)
  }
}

extension String {
  /// `URLItem` is `urlItem`.
  var lowerCamelCase: String {
    let capitals = prefix(while: \.isUppercase).count
    let lowered = capitals > 1 && capitals < count ? capitals - 1 : capitals
    return prefix(lowered).lowercased() + dropFirst(lowered)
  }

  /// In English.
  var plural: String {
    guard let last else { return self }
    let isAfterConsonant = !"aeiou".contains(dropLast().last ?? "a")
    if last == "y", isAfterConsonant { return dropLast() + "ies" }
    let hisses = ["s", "x", "z", "ch", "sh"].contains(where: hasSuffix)
    return self + (hisses ? "es" : "s")
  }

  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
