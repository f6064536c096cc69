public import StoreModel

/// The rows of one type that a request has read, each once, and their included relationships.
///
/// One thread fills the table. It doesn't change after other threads can access it.
@usableFromInline
class RowTable: @unchecked Sendable {
  final var links: [RowLinks] = []

  init() {}

  /// Returns whether two rows and all rows that were included in them are equal.
  func isEqual(_ row: Int, to otherRow: Int, of other: RowTable) -> Bool { false }
}

@usableFromInline
final class TypedRowTable<Object: StoredObject>: RowTable, @unchecked Sendable {
  @usableFromInline var rows: [Stored<Object>] = []

  @usableFromInline
  override init() {}

  override func isEqual(_ row: Int, to otherRow: Int, of other: RowTable) -> Bool {
    guard let other = other as? TypedRowTable<Object>, rows[row] == other.rows[otherRow],
      links.count == other.links.count
    else { return false }
    return zip(links, other.links).allSatisfy { $0.isEqual(row, to: otherRow, of: $1) }
  }
}

extension RowLinks {
  fileprivate func isEqual(_ row: Int, to otherRow: Int, of other: RowLinks) -> Bool {
    let (own, others) = (ends.rows(of: row), other.ends.rows(of: otherRow))
    return relationship == other.relationship && own.count == others.count
      && zip(own, others).allSatisfy {
        table.isEqual(Int($0), to: Int($1), of: other.table)
      }
  }
}

extension RowLinks.Ends {
  /// Returns the destination rows of a row in order.
  func rows(of row: Int) -> ArraySlice<Int32> {
    switch self {
    case .toOne(let rows): rows[row] < 0 ? [] : rows[row...row]
    case .toMany(let starts, let members): members[Int(starts[row])..<Int(starts[row + 1])]
    }
  }
}

extension TypedRowTable {
  /// Returns the rows at the end of a path.
  ///
  /// - Parameters:
  ///   - steps: returns the relationships of the path. It is only called if `path` itself wasn't included, because it
  ///     takes longer than comparing key paths.
  ///   - isToMany: whether the type of the path is to-many.
  /// - Throws: `StoreError` if the path wasn't included.
  func ends<Destination: StoredObject>(
    of row: Int, _ path: AnyKeyPath, _ steps: () -> [RelationshipKey], _: Destination.Type,
    isToMany: Bool
  ) throws(StoreError) -> (TypedRowTable<Destination>, ArraySlice<Int32>) {
    if let links = links.first(where: { $0.path == path }), links.ends.isToMany == isToMany,
      let table = links.table as? TypedRowTable<Destination>
    {
      return (table, links.ends.rows(of: row))
    }
    var (table, rows): (RowTable, ArraySlice<Int32>) = (self, [Int32(row)])
    var hasMany = false
    for step in steps() {
      guard !hasMany, let links = table.links.first(where: { $0.relationship == step }) else {
        throw StoreError.notIncluded(
          steps().map(\.name), entity: Object.entityName,
          included: self.links.map(\.relationship.name)
        )
      }
      rows = rows.first.map { links.ends.rows(of: Int($0)) } ?? []
      (table, hasMany) = (links.table, links.ends.isToMany)
    }
    guard hasMany == isToMany, let table = table as? TypedRowTable<Destination> else {
      throw StoreError.notIncluded(
        steps().map(\.name), entity: Object.entityName, included: []
      )
    }
    return (table, rows)
  }
}

extension RowLinks.Ends {
  var isToMany: Bool {
    if case .toMany = self { true } else { false }
  }
}
