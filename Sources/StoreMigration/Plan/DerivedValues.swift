import StoreCore
import StoreLayout
import StoreModel

/// Computes derived attributes at the end of a migration: new attributes always, the others if rows are rewritten.
struct DerivedValues {
  let steps: [MigrationStep]

  init(_ mapping: ModelMapping, _ target: StoreLayout, _ storeUUID: String?, isTouched: Bool) {
    steps = DerivedColumn.all(in: target, storeUUID: storeUUID).compactMap { column in
      let isNew = mapping.entities.contains { entity in
        target.entity(named: entity.target).map { column.numbers.contains($0.number) } == true
          && entity.attributes[column.attribute.name]?.source == .nothing
      }
      // A time is kept.
      guard isNew || isTouched && !column.isTime else { return nil }
      return MigrationStep(
        column.update(rows: nil), "computes \(column.entity).\(column.attribute.name)",
        .rows(column.table))
    }
  }
}
