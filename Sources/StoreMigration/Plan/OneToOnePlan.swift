import StoreLayout
import SQLiteAccess
import StoreModel

/// Reconciles the two sides of a one-to-one relationship, so that each row has at most one partner, and both rows refer
/// to each other. A side is one of the two inverse relationships.
///
/// If several rows claim one partner, a pair that both sides contain has precedence. Otherwise, a pair of the side
/// whose name (`Side.name`) sorts first has precedence; otherwise, the pair with the lowest key on the first side.
struct OneToOnePlan {
  let pair: OneToOne
  /// The origins of the partners: relationships of the source, or the mapping's key paths.
  private let tellers: [PartnerTeller]
  /// The tellers to check and count. If the relationship is its own inverse, both sides have the same tellers, so the
  /// tellers of side 1 are omitted.
  private let asked: [PartnerTeller]
  /// For each side, a query for the new keys of its rows.
  private let known: [SQL]
  /// For each side, a source entity whose rows become rows of this side.
  private let sources: [String]
  /// Whether a predicate of the mapping finds partners among the target's rows. The pairs are then unknown until the
  /// rows have been moved.
  let isMatched: Bool

  init(_ pair: OneToOne, _ compilers: [TransferCompiler], _ keys: KeyMap) throws {
    self.pair = pair
    let transfers = pair.sides.map { side in
      compilers.filter { side.owner.subtree.contains($0.transfer.target.number) }
    }
    tellers = try PartnerTeller.all(of: pair, transfers, keys)
    asked = pair.isOwnInverse ? tellers.filter { $0.side == 0 } : tellers
    known = try transfers.map { transfers in
      try transfers.map { transfer -> SQL in
        var query = transfer.query
        return try query.select([query.key])
      }.joined(" UNION ALL ")
    }
    sources = zip(pair.sides, transfers).map { $1.first?.transfer.source.name ?? $0.owner.name }
    isMatched = zip(pair.sides, transfers).contains { side, transfers in
      transfers.contains {
        $0.transfer.mapping.relationships[side.relationship]?.isMatching == true
      }
    }
  }

  // MARK: Kept pairs

  /// Returns a query for all pairs. `a` is the key of the row on side 0, and `b` of the row on side 1. The column
  /// `stays` contains whether the pair is kept.
  ///
  /// - Parameters:
  ///   - told: a query for the pairs as `a` and `b`, with the index of the side that claims the pair as `side`.
  ///   - known: for each side, a query for the keys of its rows.
  private func ranked(_ told: SQL, known: [SQL]) -> SQL {
    // If the relationship is its own inverse, a pair occurs as (a, b) and as (b, a). Both must have the same rank, so
    // that both are kept or neither.
    let order: [SQL] =
      pair.isOwnInverse
      ? ["2 - count(DISTINCT side)", "min(a, b)", "max(a, b)"]
      : ["CASE count(DISTINCT side) WHEN 2 THEN 0 ELSE 1 + min(side) END", "a", "b"]
    return """
      SELECT a, b, side, row_number() OVER (PARTITION BY a ORDER BY r, x, y) = 1 \
      AND row_number() OVER (PARTITION BY b ORDER BY r, x, y) = 1 AS stays \
      FROM (SELECT a, b, min(side) AS side, \(order[0]) AS r, \(order[1]) AS x, \(order[2]) AS y \
      FROM (\(told)) WHERE a IN (\(known[0])) AND b IN (\(known[1])) GROUP BY a, b)
      """
  }

  /// The ranked pairs of the source; nil if neither a relationship nor a key path determines pairs.
  private var rankedBefore: SQL? {
    let told = tellers.flatMap(\.told)
    guard !told.isEmpty else { return nil }
    let pairs: SQL = "SELECT a, b, side FROM (\(told.joined(" UNION ALL ")))"
    return ranked(pairs, known: known)
  }

  private func staying(_ ranked: SQL) -> SQL { "SELECT a, b FROM (\(ranked)) WHERE stays" }

  private func leaving(_ ranked: SQL) -> SQL { "SELECT a, b FROM (\(ranked)) WHERE NOT stays" }

  /// Returns a query for the new keys of a side's rows that will have a partner; nil if `rankedBefore` is nil.
  func partnered(side: Int) -> SQL? {
    rankedBefore.map { "SELECT \(name: side == 0 ? "a" : "b") FROM (\(staying($0)))" }
  }

  // MARK: Checks

  /// The checks for rows that share a partner.
  var checks: [MigrationCheck] {
    guard pair.mayShare, !isMatched, let ranked = rankedBefore else { return [] }
    return asked.filter { !$0.isToMany }.map { teller in
      let (side, rows) = (pair.sides[teller.side], teller.told.joined(" UNION ALL "))
      return MigrationCheck(
        """
        SELECT o, \(partner(of: side)) || \(name: teller.side == 0 ? "b" : "a") FROM (\(rows)) \
        WHERE (a, b) IN (\(leaving(ranked)))
        """, teller.problem(of: pair), source: teller.source, permission: teller.name)
    }
  }

  var losses: [PossibleLoss] {
    guard pair.mayShare, !isMatched, let ranked = rankedBefore else { return [] }
    return asked.compactMap { teller in
      guard let pairs = teller.allPairs else {
        return PossibleLoss(
          teller.name,
          count: """
            SELECT count(*) FROM (\(teller.told.joined(" UNION ALL "))) \
            WHERE (a, b) IN (\(leaving(ranked)))
            """)
      }
      // The inverse already counts these pairs.
      guard !asked.contains(where: { $0.counts(for: teller) }) else { return nil }
      return PossibleLoss(
        teller.name,
        count: """
          SELECT count(*) FROM (SELECT DISTINCT a, b FROM (\(pairs)) \
          WHERE a IN (\(known[0])) AND b IN (\(known[1]))) \
          WHERE (a, b) NOT IN (\(staying(ranked)))
          """)
    }
  }

  /// Returns the prefix of the partners' object IDs, such as `User/p`; the key is appended.
  private func partner(of side: OneToOne.Side) -> SQL {
    .value(.text("\(side.column.destination)/p"))
  }

  /// Compares the pairs before and after the migration. If only one side of the target has a pair, its `b` is NULL, so
  /// the comparison fails.
  var proofs: [ProofScan] {
    guard !isMatched, let ranked = rankedBefore else { return [] }
    return [
      ProofScan(
        subject: pair.sides[0].name, table: pair.sides[0].owner.table,
        columns: [pair.sides[0].relationship], before: staying(ranked),
        after: """
          SELECT a, CASE count(*) WHEN 2 THEN b END FROM (\(toldAfter)) \
          WHERE a IN (\(knownAfter[0])) AND b IN (\(knownAfter[1])) GROUP BY a, b
          """)
    ]
  }

  // MARK: Steps

  /// A query for the pairs in the columns of the target.
  private var toldAfter: SQL {
    pair.sides.enumerated().map { index, side -> SQL in
      let (own, other) = (SQL.name(FixedColumn.primaryKey), SQL.name(side.column.column))
      let (a, b) = index == 0 ? (own, other) : (other, own)
      let condition = side.rowCondition.map { " AND \($0)" as SQL } ?? ""
      return """
        SELECT \(a) AS a, \(b) AS b, \(.integer(Int64(index))) AS side \
        FROM \(name: side.owner.table) WHERE \(other) IS NOT NULL\(condition)
        """
    }.joined(" UNION ALL ")
  }

  private var knownAfter: [SQL] {
    pair.sides.map { side in
      """
      SELECT \(name: FixedColumn.primaryKey) FROM \(name: side.owner.table)\
      \(side.rowCondition.map { " WHERE \($0)" as SQL } ?? "")
      """
    }
  }

  /// Returns the steps, which run after all rows have been moved.
  func steps(_ number: Int, in target: StoreLayout) -> [MigrationStep] {
    let table = "pairs_\(number)"
    let names = pair.sides.map(\.name)
    let finding = MigrationStep(
      "CREATE TEMP TABLE \(name: table) AS \(ranked(toldAfter, known: knownAfter))",
      "reconciles \(names[0]) and \(names[1])", .scratch)
    let sides = pair.isOwnInverse ? [0] : [0, 1]
    return [finding] + (isMatched ? sides.map { sharing($0, table) } : [])
      + sides.map { clearing($0, table) } + sides.map { setting($0, table, target) }
      + [MigrationStep("DROP TABLE temp.\(name: table)", "drops the temporary pairs", .scratch)]
  }

  private func keys(_ side: Int) -> (own: SQL, other: SQL) {
    side == 0 ? ("a", "b") : ("b", "a")
  }

  /// Returns the step that checks whether rows claim the same partner. It replaces `checks` if `isMatched`.
  private func sharing(_ index: Int, _ table: String) -> MigrationStep {
    let (side, keys) = (pair.sides[index], keys(index))
    let problem = MappingError.sharedDestination(
      entity: side.owner.name, relationship: side.relationship,
      inverse: pair.sides[1 - index].name, sourceEntity: sources[index], loss: side.name)
    return MigrationStep(
      asking: MigrationCheck(
        """
        SELECT \(keys.own), \(partner(of: side)) || \(keys.other) FROM temp.\(name: table) \
        WHERE NOT stays AND side = \(.integer(Int64(index)))
        """, problem, permission: side.name),
      "checks for rows that share a destination of \(side.name)")
  }

  private func clearing(_ index: Int, _ table: String) -> MigrationStep {
    let (side, keys) = (pair.sides[index], keys(index))
    let cleared = [side.column.column, side.column.entityColumn].compactMap(\.self)
      .map { "\(name: $0) = NULL" as SQL }
    return MigrationStep(
      """
      UPDATE \(name: side.owner.table) SET \(cleared.joined(", ")) \
      WHERE (\(name: FixedColumn.primaryKey), \(name: side.column.column)) IN \
      (SELECT \(keys.own), \(keys.other) FROM temp.\(name: table) WHERE NOT stays)
      """, "clears \(side.name) where another row has the partner", .rows(side.owner.table))
  }

  private func setting(
    _ index: Int, _ table: String, _ target: StoreLayout
  ) -> MigrationStep {
    let (side, keys) = (pair.sides[index], keys(index))
    var set: [SQL] = ["\(name: side.column.column) = p.\(keys.other)"]
    if let column = side.column.entityColumn,
      let destination = target.entity(named: side.column.destination)
    {
      set.append(
        """
        \(name: column) = (SELECT d.\(name: FixedColumn.entity) FROM \(name: destination.table) AS d \
        WHERE d.\(name: FixedColumn.primaryKey) = p.\(keys.other))
        """)
    }
    let own = side.owner.table
    return MigrationStep(
      """
      UPDATE \(name: own) SET \(set.joined(", ")) FROM temp.\(name: table) AS p \
      WHERE p.stays AND p.\(keys.own) = \(.name(own, FixedColumn.primaryKey)) \
      AND \(.name(own, side.column.column)) IS NOT p.\(keys.other)
      """, "sets \(side.name)", .rows(own))
  }
}

extension OneToOne.Side {
  /// The condition that a row of the table belongs to this side; nil if all rows do.
  fileprivate var rowCondition: SQL? {
    owner.sharesTable ? "\(name: FixedColumn.entity) IN \(.list(owner.subtree))" : nil
  }
}
