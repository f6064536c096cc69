import StoreLayout
import StoreSQL
import StoreModel

extension CheckFinder {
  /// Required to-ones of the rows of a feed that would be NULL.
  func relationshipChecks(_ feed: FeedCompiler) throws -> [MigrationCheck] {
    try required(of: feed).compactMap { relationship in
      guard let column = feed.feed.target.toOne[relationship.name]?.column,
        !isMatched(relationship, feed)
      else { return nil }
      if let partner = try partnerCheck(relationship, feed) { return partner }
      let old = origin(of: relationship, feed)
      let problem = problem(relationship, feed, old.flatMap { $0.isOptional ? $0.name : nil })
      let value = feed.values[column] ?? .null
      if value == .null, old?.isOptional ?? true { return try check(feed, nil, problem) }
      let isNull: SQL = "\(value.sql) IS NULL"
      guard let old, !old.isOptional, let place = feed.feed.source.toOne[old.name] else {
        return try check(feed, isNull, problem)
      }
      // What the source demanded was there before, as long as its row stays.
      if case .column = value { return nil }
      return try check(
        feed, "\(.name(ColumnValue.row, place.column)) IS NOT NULL AND \(isNull)", problem)
    }
  }

  /// What is looked for among the target's rows can only be asked when they are there.
  var lateQuestions: [MigrationStep] {
    feeds.flatMap { feed in
      required(of: feed).filter { isMatched($0, feed) }.compactMap { relationship in
        guard let column = feed.feed.target.toOne[relationship.name]?.column else { return nil }
        let place = feed.feed.target
        let own: SQL =
          place.sharesTable
          ? " AND \(name: FixedColumn.entity) = \(.integer(place.number))" : ""
        return MigrationStep(
          asking: MigrationCheck(
            """
            SELECT \(name: FixedColumn.primaryKey) FROM \(name: place.table) \
            WHERE \(name: column) IS NULL\(own)
            """, problem(relationship, feed, nil),
            source: feed.feed.offset == 0 ? feed.feed.source.name : nil),
          "asks for rows without \(place.name).\(relationship.name)")
      }
    }
  }

  private func required(of feed: FeedCompiler) -> [Relationship] {
    let model = target.model
    return model.entity(named: feed.feed.target.name).map { entity in
      model.relationships(of: entity).filter { !$0.isOptional && !$0.isTransient && !$0.isToMany }
    } ?? []
  }

  private func isMatched(_ relationship: Relationship, _ feed: FeedCompiler) -> Bool {
    if case .matching? = feed.feed.mapping.relationships[relationship.name] { return true }
    return oneToOne(relationship, feed)?.plan.isMatched ?? false
  }

  /// Nil unless both sides are brought together; then rows without a partner are none's.
  private func partnerCheck(
    _ relationship: Relationship, _ feed: FeedCompiler
  ) throws -> MigrationCheck? {
    guard let (plan, side) = oneToOne(relationship, feed) else { return nil }
    let condition = plan.partnered(side: side).map { partnered -> SQL in
      "\(feed.query.key) NOT IN (\(partnered))"
    }
    return try check(feed, condition, problem(relationship, feed, nil))
  }

  private func oneToOne(
    _ relationship: Relationship, _ feed: FeedCompiler
  ) -> (plan: OneToOnePlan, side: Int)? {
    guard let (pair, side) = feed.keys.oneToOne(relationship.name, of: feed.feed.target) else {
      return nil
    }
    return oneToOnes.first { $0.pair == pair }.map { ($0, side) }
  }

  /// The relationship of the source that it was.
  private func origin(of relationship: Relationship, _ feed: FeedCompiler) -> Relationship? {
    guard case .relationship(let name)? = feed.feed.mapping.relationships[relationship.name],
      let entity = source.model.entity(named: feed.feed.source.name),
      case .relationship(let old)? = source.model.property(named: name, of: entity)?.0
    else { return nil }
    return old
  }

  private func problem(
    _ relationship: Relationship, _ feed: FeedCompiler, _ old: String?
  ) -> MappingProblem {
    .missingDestination(
      entity: feed.feed.target.name, relationship: relationship.name,
      sourceEntity: feed.feed.source.name, sourceRelationship: old)
  }
}
