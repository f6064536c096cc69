import SQLiteAccess
import StoreModel
import StoreDiagnostics

/// The information in the names of indexes and triggers: the upper-case and lower-case letters of property names, and
/// the entities of the properties.
struct LabelReading {
  struct Index {
    var entity: Int64
    /// The rest of the index's name after the entity's name and `UNIQUE_`.
    var name: String
    var index: DatabaseSchema.Index
    var isConstraint: Bool
  }

  /// The indexes by table.
  private(set) var indexes: [String: [Index]] = [:]
  /// The entities in the names of indexes and triggers, by table and column. Each of these entities declares or
  /// inherits the column's property.
  private(set) var entities: [String: [String: Set<Int64>]] = [:]
  /// The columns of derived attributes, by table.
  private(set) var derived: [String: Set<String>] = [:]
  /// The possible spellings of properties in all tables, by column.
  private var spellings: [String: Set<String>] = [:]
  private var spellingsInTable: [String: [String: String]] = [:]

  init(_ schema: StoreSchema, _ forest: EntityForest) {
    for root in forest.roots {
      let name = forest.table(of: root)
      guard let table = schema.database.tables[name] else { continue }
      // Longer names are tried first, because `Z_Item_Tag_name` more likely belongs to `Item_Tag` than to `Item`.
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

  /// Returns the spellings of an index's columns in the index's name, by column, such as `firstName` for `ZFIRSTNAME`
  /// in `firstName_lastName`. Returns an empty dictionary if the name doesn't consist of the columns.
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

  /// Adds the names of entities, because relationships often have the name of their destination.
  private mutating func addEntityNames(_ forest: EntityForest) {
    for number in forest.numbers {
      let name = forest.name(number).lowerCamelCase
      for spelling in [name, name.plural] {
        spellings[StoredName.column(of: spelling), default: []].insert(spelling)
      }
    }
  }

  /// Returns the assumed spelling of a property.
  ///
  /// - Parameter name: the name in upper case.
  /// - Returns: the spelling. It is certain if the name of an index or trigger of the table contains it.
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
  /// The name in lower camel case: `urlItem` for `URLItem`.
  var lowerCamelCase: String {
    let capitals = prefix(while: \.isUppercase).count
    let lowered = capitals > 1 && capitals < count ? capitals - 1 : capitals
    return prefix(lowered).lowercased() + dropFirst(lowered)
  }

  /// The English plural.
  var plural: String {
    guard let last else { return self }
    let isAfterConsonant = !"aeiou".contains(dropLast().last ?? "a")
    if last == "y", isAfterConsonant { return dropLast() + "ies" }
    let hisses = ["s", "x", "z", "ch", "sh"].contains(where: hasSuffix)
    return self + (hisses ? "es" : "s")
  }

  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
