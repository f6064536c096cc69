import StoreCore
import StoreModel
import StorePredicate
import SQLiteAccess

/// Makes the rows of a plan, one entity after the other. One thread has it at a time.
final class RowMaker: @unchecked Sendable {
  private let seeding: Seeding
  private var groups: [UniqueGroup]

  init(_ plan: SeedPlan) {
    seeding = plan.seeding
    groups = plan.groups
  }

  /// Puts an entity's rows into batches.
  ///
  /// - Throws: `RowError` for a value that the model does not allow, which is our mistake; what the queue throws.
  func fill(_ queue: BatchQueue, with entity: EntitySeed, store: String) throws {
    // Extremes need not keep to the rules.
    var encoder = RowEncoder(entity.plan, store: store, validates: seeding.style == .plausible)
    var random = SeedRandom(seed: seeding.seed, name: entity.plan.entity, number: entity.run.first)
    // In order: each draws from the same stream.
    let used = Set(entity.attributes.compactMap { $0.carrier?.group }).sorted()
    var unique: [[Value]?] = Array(repeating: nil, count: groups.count)
    var batch = try queue.takeEmpty()
    for index in 0..<entity.run.count {
      for group in used { unique[group] = groups[group].next(&random) }
      encoder.beginRecord(in: batch)
      do {
        try set(entity, row: index, unique, in: batch, by: &encoder, &random)
        try encoder.endRecord(in: batch, at: .start)
      } catch let missing as RowEncoder.MissingValue {
        throw RowError(
          .value(property: missing.property, shown: "", .missing), entity: entity.plan.entity,
          record: index + 1)
      }
      guard batch.isFull else { continue }
      queue.putFilled(batch)
      batch = try queue.takeEmpty()
    }
    queue.putFilled(batch)
  }

  private func set(
    _ entity: EntitySeed, row index: Int, _ unique: [[Value]?], in batch: PackedRows,
    by encoder: inout RowEncoder, _ random: inout SeedRandom
  ) throws {
    for attribute in entity.attributes {
      guard case .value(let value) = attribute.next(unique, &random) else { continue }
      do {
        try encoder.set(attribute.field, toTyped: value, in: batch)
      } catch let problem as ValueError {
        throw RowError(
          .value(
            property: entity.plan.fields[attribute.field].name, shown: "", problem),
          entity: entity.plan.entity, record: index + 1)
      }
    }
    for link in entity.toOnes {
      // One that another row's partner fills in comes when all rows are there.
      encoder.postpone(link.field)
      guard let owned = link.owned,
        let found = owned.seed.destination(of: owned.start + index, &random)
      else { continue }
      batch.nextCells[link.cell] = .integer(found.key)
      if let entityCell = link.entityCell { batch.nextCells[entityCell] = .integer(found.entity) }
    }
  }
}
