import StoreLayout
import SQLiteAccess
import StoreModel
import StoreDiagnostics

/// The evidence in a store for the entity of a row whose `Z_ENT` is damaged: the references to the row and their
/// companion columns.
///
/// The entity is certain if the table only contains rows of one entity, or if the references to the row allow only one.
struct EntityEvidence {
  /// A column that contains keys of a table's rows.
  private struct Mention {
    /// The table of the referenced rows.
    var mentioned: String
    var table: String
    var column: String
    /// The column with the entity of the referenced row.
    var companion: String?
    /// The condition for rows of the table as `m`.
    var condition: SQL
    /// The possible entities of the referenced rows.
    var entities: Set<Int64>
  }

  private let table: String
  private let layout: StoreLayout
  private let schema: StoreSchema
  private let usual: EntityNumbering
  private let candidates: [EntityLayout]
  private let mentions: [Mention]

  /// Returns the evidence for each table of an entity.
  static func all(in layout: StoreLayout, _ schema: StoreSchema) -> [String: EntityEvidence] {
    let usual = EntityNumbering(layout.model)
    let mentions = layout.model.entities.flatMap { entity in
      layout.entity(named: entity.name).map { Self.mentions(by: entity, $0, in: layout) } ?? []
    }.filter { mention in
      [mention.column, mention.companion].compactMap(\.self).allSatisfy {
        schema.hasColumn($0, in: mention.table)
      }
    }
    let byTable = Dictionary(grouping: mentions, by: \.mentioned)
    return Dictionary(
      layout.tables.map { table in
        let candidates = layout.entities(in: table.name).filter { !$0.isAbstract }
        return (
          table.name,
          EntityEvidence(
            table: table.name, layout: layout, schema: schema, usual: usual,
            candidates: candidates, mentions: byTable[table.name, default: []])
        )
      }
    ) { first, _ in first }
  }

  private static func mentions(
    by entity: Entity, _ place: EntityLayout, in layout: StoreLayout
  ) -> [Mention] {
    entity.relationships.flatMap { relationship -> [Mention] in
      if let toOne = place.toOne[relationship.name] {
        guard let destination = layout.entity(named: toOne.destination) else { return [] }
        return [
          Mention(
            mentioned: destination.table, table: place.table, column: toOne.column,
            companion: toOne.entityColumn,
            condition: isRow(of: place), entities: Set(destination.subtree))
        ]
      }
      guard let toMany = place.toMany[relationship.name],
        let members = layout.entity(named: toMany.destination)
      else { return [] }
      switch toMany {
      case .column(let key):
        // With an inverse, the column belongs to the members' to-one relationship, which is a separate mention.
        guard
          layout.model.sharedInverse(of: relationship, declaredBy: entity) == nil
        else { return [] }
        return [
          Mention(
            mentioned: place.table, table: key.table, column: key.column,
            condition: isRow(of: members),
            entities: Set(place.subtree))
        ]
      case .joinTable(let join):
        let ends = [(join.sourceColumn, place), (join.destinationColumn, members)]
        return ends.map { column, end in
          Mention(
            mentioned: end.table, table: join.table, column: column, condition: "TRUE",
            entities: Set(end.subtree))
        }
      }
    }
  }

  private static func isRow(of entity: EntityLayout) -> SQL {
    "m.\(name: FixedColumn.entity) IN (\(entity.numbers))"
  }

  // MARK: Checks

  /// Finds rows that don't belong to any entity of the table. If the entity is certain, the check has a repair.
  var checks: [VerificationCheck] {
    guard let root = layout.table(named: table)?.root else { return [] }
    let isDamaged: SQL = """
      (r.\(name: FixedColumn.entity) IS NULL \
      OR r.\(name: FixedColumn.entity) NOT IN (\(list(candidates.map(\.number)))))
      """
    guard let only = isListedAsUsual ? onlyCandidate : nil else {
      return [check(root, isCertain: false, where: isDamaged)]
    }
    var certain = check(root, isCertain: true, where: "\(isDamaged) AND \(only) NOT NULL")
    certain.repair = .init(
      statement: """
        UPDATE \(name: table) AS r SET \(name: FixedColumn.entity) = \
        ifnull(\(only), r.\(name: FixedColumn.entity)) WHERE \(isDamaged) AND \(only) NOT NULL
        """,
      touched: [.init(table: table, rows: certain.cases)])
    return [certain, check(root, isCertain: false, where: "\(isDamaged) AND \(only) IS NULL")]
  }

  private func check(
    _ root: String, isCertain: Bool, where condition: SQL
  ) -> VerificationCheck {
    VerificationCheck(
      finding: Finding(.wrongEntity(table: table, isCertain: isCertain), entity: root),
      cases: """
        SELECT r.\(name: FixedColumn.entity) AS entity, r.\(name: FixedColumn.primaryKey) AS key \
        FROM \(name: table) AS r WHERE \(condition)
        """)
  }

  /// Whether `Z_PRIMARYKEY` contains the table's entities with the numbers of a new store. Otherwise `Z_PRIMARYKEY` may
  /// be damaged instead of the rows.
  private var isListedAsUsual: Bool {
    layout.entities(in: table).allSatisfy { place in
      guard let entity = layout.model.entity(named: place.name) else { return false }
      return usual.number(of: entity) == place.number
        && schema.primaryKeys.contains {
          $0.number == place.number && $0.name.isExactly(place.name)
        }
    }
  }

  // MARK: Evidence

  /// An expression for the number of the only possible entity of a row `r`. It is NULL if there are several, or none
  /// because references contradict each other.
  private var onlyCandidate: SQL? {
    guard candidates.count > 1 else {
      return candidates.first.map { "\(value: .integer($0.number))" }
    }
    let against = mentions.compactMap(excludes)
    guard !against.isEmpty, against.count <= Self.mentionLimit else { return nil }
    let all = candidates.map { "(\(value: .integer($0.number)))" as SQL }.joined(", ")
    return """
      (SELECT CASE count(*) WHEN 1 THEN max(c.column1) END FROM (VALUES \(all)) AS c \
      WHERE NOT (\(against.joined(" OR "))))
      """
  }

  /// SQLite rejects expressions with a depth of more than 1,000.
  private static let mentionLimit = 400

  /// Returns a condition for whether a mention of the row `r` excludes the entity `c.column1`; nil if the mention
  /// doesn't exclude any entity.
  private func excludes(_ mention: Mention) -> SQL? {
    let isAny = candidates.allSatisfy { mention.entities.contains($0.number) }
    let isOther: SQL = "c.column1 NOT IN (\(list(mention.entities.sorted())))"
    let against: SQL
    switch mention.companion {
    case nil where isAny: return nil
    case nil: against = isOther
    case let companion?: against = "(\(isOther) OR m.\(name: companion) <> c.column1)"
    }
    return """
      EXISTS (SELECT 1 FROM \(name: mention.table) AS m WHERE m.\(name: mention.column) = \
      r.\(name: FixedColumn.primaryKey) AND \(mention.condition) AND \(against))
      """
  }

  private func list(_ numbers: [Int64]) -> SQL {
    numbers.map { SQL.value(.integer($0)) }.joined(", ")
  }
}
