import StoreLayout
import SQLiteAccess

extension MappingError {
  /// Whether a step of the program's own can give what is missing.
  var isForStep: Bool {
    switch self {
    case .missingValue, .missingDestination: true
    case .typeChange, .inconvertible, .unreadableFile, .duplicates, .sharedDestination,
      .abstractEntity:
      false
    }
  }
}

extension CheckFinder {
  /// The same questions, asked of the target's rows when the program's step is done.
  func stepChecks(for checks: [MigrationCheck]) -> [MigrationCheck] {
    checks.compactMap { check in
      guard let (entity, column) = column(of: check.problem) else { return nil }
      return MigrationCheck(
        """
        SELECT \(name: FixedColumn.primaryKey) FROM \(name: entity.table) \
        WHERE \(name: FixedColumn.entity) = \(value: .integer(entity.number)) \
        AND \(name: column) IS NULL
        """, check.problem)
    }
  }

  private func column(of problem: MappingError) -> (EntityLayout, String)? {
    switch problem {
    case .missingValue(let name, let attribute, _):
      guard let entity = target.entity(named: name) else { return nil }
      return entity.attributes[attribute].map { (entity, $0.column) }
    case .missingDestination(let name, let relationship, _, _):
      guard let entity = target.entity(named: name) else { return nil }
      return entity.toOne[relationship].map { (entity, $0.column) }
    case .typeChange, .inconvertible, .unreadableFile, .duplicates, .sharedDestination,
      .abstractEntity:
      return nil
    }
  }
}
