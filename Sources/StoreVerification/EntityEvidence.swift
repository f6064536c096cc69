import StoreLayout
import SQLiteAccess
import StoreModel
import StoreDiagnostics

/// The evidence for the entity of a row whose `Z_ENT` is damaged: the references to the row and their companion
/// columns. The companion of a to-one reference contains the number of the destination's entity.
///
/// The entity is certain if only one entity of the model can have rows in the table, or if the references to the row
/// allow only one entity.
struct EntityEvidence {
  /// A column with references to the rows of a table.
  private struct Mention {
    /// The end of the relationship to which the referenced rows belong.
    var end: EntityLayout
    var table: String
    var column: String
    /// The column with the entity of the referenced row.
    var companion: String?
    /// The condition for the rows of `table` whose column is a reference. The alias of `table` is `m`.
    var condition: SQL
  }

  private let table: String
  private let layout: StoreLayout
  /// Whether `Z_PRIMARYKEY` contains the table's entities with the numbers of a new store. Otherwise `Z_PRIMARYKEY` may
  /// be damaged instead of the rows.
  private let isListedAsUsual: Bool
  /// The entities that can have rows in the table.
  private let candidates: [EntityLayout]
  private let mentions: [Mention]

  /// Returns the evidence for all tables of entities, by the table's name.
  static func all(in layout: StoreLayout, _ schema: StoreSchema) -> [String: EntityEvidence] {
    let usual = EntityNumbering(layout.model)
    let mentions = layout.model.entities.flatMap { entity in
      layout.entity(named: entity.name).map { Self.mentions(by: entity, $0, in: layout) } ?? []
    }.filter { mention in
      [mention.column, mention.companion].compactMap(\.self).allSatisfy {
        schema.hasColumn($0, in: mention.table)
      }
    }
    let byTable = Dictionary(grouping: mentions, by: \.end.table)
    let listed = Dictionary(grouping: schema.primaryKeys, by: \.number)
    func isListedAsUsual(_ place: EntityLayout) -> Bool {
      guard let entity = layout.model.entity(named: place.name) else { return false }
      return usual.number(of: entity) == place.number
        && listed[place.number, default: []].contains { $0.name.isExactly(place.name) }
    }
    return layout.tables.reduce(into: [:]) { evidence, table in
      let members = layout.entities(in: table.name)
      evidence[table.name] = EntityEvidence(
        table: table.name, layout: layout,
        isListedAsUsual: members.allSatisfy(isListedAsUsual),
        candidates: members.filter { !$0.isAbstract }, mentions: byTable[table.name, default: []])
    }
  }

  private static func mentions(
    by entity: EntityDescription, _ place: EntityLayout, in layout: StoreLayout
  ) -> [Mention] {
    entity.relationships.flatMap { relationship -> [Mention] in
      if let toOne = place.toOne[relationship.name] {
        guard let destination = layout.entity(named: toOne.destination) else { return [] }
        return [
          Mention(
            end: destination, table: place.table, column: toOne.column,
            companion: toOne.entityColumn, condition: isRow(of: place))
        ]
      }
      guard let toMany = place.toMany[relationship.name],
        let members = layout.entity(named: toMany.destination)
      else { return [] }
      switch toMany {
      case .column(let key):
        // With an inverse, the column belongs to the members' to-one relationship, which is a separate mention.
        guard layout.model.sharedInverse(of: relationship, declaredBy: entity) == nil
        else { return [] }
        return [
          Mention(
            end: place, table: key.table, column: key.column, condition: isRow(of: members))
        ]
      case .joinTable(let join):
        let ends = [(join.sourceColumn, place), (join.destinationColumn, members)]
        return ends.map { column, end in
          Mention(end: end, table: join.table, column: column, condition: "TRUE")
        }
      }
    }
  }

  private static func isRow(of entity: EntityLayout) -> SQL {
    "m.\(name: FixedColumn.entity) IN \(.list(entity.subtree))"
  }

  // MARK: Checks

  /// The checks for rows whose `Z_ENT` isn't an entity of the table. The check for rows whose entity is certain has a
  /// repair.
  var checks: [VerificationCheck] {
    guard let root = layout.table(named: table)?.root else { return [] }
    let isDamaged: SQL = """
      (r.\(name: FixedColumn.entity) IS NULL \
      OR r.\(name: FixedColumn.entity) NOT IN \(.list(candidates.map(\.number))))
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
      finding: StoreFinding(.wrongEntity(table: table, isCertain: isCertain), entity: root),
      cases: """
        SELECT r.\(name: FixedColumn.entity) AS entity, r.\(name: FixedColumn.primaryKey) AS key \
        FROM \(name: table) AS r WHERE \(condition)
        """)
  }

  // MARK: Evidence

  /// An expression for the number of the only possible entity of a row `r`. Its value is NULL if several entities are
  /// possible, or none because references contradict each other. Nil if the references can't exclude an entity, or if
  /// the expression would be too deep.
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

  /// The maximum number of references in `onlyCandidate`. SQLite rejects expressions with a depth of more than 1,000.
  private static let mentionLimit = 400

  /// Returns the condition that a reference to the row `r` excludes the entity `c.column1`; nil if it can't exclude any
  /// entity.
  private func excludes(_ mention: Mention) -> SQL? {
    let possible = Set(mention.end.subtree)
    let isAny = candidates.allSatisfy { possible.contains($0.number) }
    let isOther: SQL = "c.column1 NOT IN \(.list(possible.sorted()))"
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
}
