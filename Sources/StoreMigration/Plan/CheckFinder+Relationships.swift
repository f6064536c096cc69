import StoreLayout
import SQLiteAccess
import StoreModel

extension CheckFinder {
  /// Returns checks for rows of a transfer whose required to-one relationships would be NULL.
  func relationshipChecks(_ transfer: TransferCompiler) throws -> [MigrationCheck] {
    try required(of: transfer).compactMap { relationship in
      guard let column = transfer.transfer.target.toOne[relationship.name]?.column,
        !isMatched(relationship, transfer)
      else { return nil }
      if let partner = try partnerCheck(relationship, transfer) { return partner }
      let old = origin(of: relationship, transfer)
      let problem = problem(relationship, transfer, old.flatMap { $0.isOptional ? $0.name : nil })
      let value = transfer.values[column] ?? .null
      if value == .null, old?.isOptional ?? true { return try check(transfer, nil, problem) }
      let isNull: SQL = "\(value.sql) IS NULL"
      guard let old, !old.isOptional, let place = transfer.transfer.source.toOne[old.name] else {
        return try check(transfer, isNull, problem)
      }
      // The source requires a destination, so a reference only becomes NULL if the destination's row is dropped. If the
      // column is copied unchanged, no destination is dropped.
      if case .column = value { return nil }
      return try check(
        transfer, "\(.name(ColumnValue.row, place.column)) IS NOT NULL AND \(isNull)", problem)
    }
  }

  /// The checks of required relationships whose pairs a predicate of the mapping determines. They run as steps after
  /// the rows have been moved, because the predicate searches the target's rows.
  var lateQuestions: [MigrationStep] {
    transfers.flatMap { transfer in
      required(of: transfer).filter { isMatched($0, transfer) }.compactMap { relationship in
        guard let column = transfer.transfer.target.toOne[relationship.name]?.column else {
          return nil
        }
        let place = transfer.transfer.target
        let own: SQL =
          place.sharesTable
          ? " AND \(name: FixedColumn.entity) = \(.integer(place.number))" : ""
        return MigrationStep(
          asking: MigrationCheck(
            """
            SELECT \(name: FixedColumn.primaryKey) FROM \(name: place.table) \
            WHERE \(name: column) IS NULL\(own)
            """, problem(relationship, transfer, nil),
            source: transfer.transfer.offset == 0 ? transfer.transfer.source.name : nil),
          "checks for rows without \(place.name).\(relationship.name)")
      }
    }
  }

  private func required(of transfer: TransferCompiler) -> [RelationshipDescription] {
    let model = target.model
    return model.entity(named: transfer.transfer.target.name).map { entity in
      model.relationships(of: entity).filter { !$0.isOptional && !$0.isTransient && !$0.isToMany }
    } ?? []
  }

  private func isMatched(_ relationship: RelationshipDescription, _ transfer: TransferCompiler)
    -> Bool
  {
    transfer.transfer.mapping.relationships[relationship.name]?.isMatching == true
      || oneToOne(relationship, transfer)?.plan.isMatched == true
  }

  /// Returns the check for rows without a partner in a one-to-one relationship that must be reconciled (`OneToOne`).
  /// Returns nil for other relationships.
  private func partnerCheck(
    _ relationship: RelationshipDescription, _ transfer: TransferCompiler
  ) throws -> MigrationCheck? {
    guard let (plan, side) = oneToOne(relationship, transfer) else { return nil }
    let condition = plan.partnered(side: side).map { partnered -> SQL in
      "\(transfer.query.key) NOT IN (\(partnered))"
    }
    return try check(transfer, condition, problem(relationship, transfer, nil))
  }

  private func oneToOne(
    _ relationship: RelationshipDescription, _ transfer: TransferCompiler
  ) -> (plan: OneToOnePlan, side: Int)? {
    guard let (pair, side) = transfer.keys.oneToOne(relationship.name, of: transfer.transfer.target)
    else { return nil }
    return oneToOnes.first { $0.pair == pair }.map { ($0, side) }
  }

  /// Returns the relationship of the source from which a relationship of the target is copied; nil if it isn't copied.
  private func origin(of relationship: RelationshipDescription, _ transfer: TransferCompiler)
    -> RelationshipDescription?
  {
    transfer.transfer.mapping.relationships[relationship.name]?.relationship
      .flatMap { source.model.relationship($0, of: transfer.transfer.source.name) }
  }

  private func problem(
    _ relationship: RelationshipDescription, _ transfer: TransferCompiler, _ old: String?
  ) -> MappingError {
    .missingDestination(
      entity: transfer.transfer.target.name, relationship: relationship.name,
      sourceEntity: transfer.transfer.source.name, sourceRelationship: old)
  }
}
