import StoreModel

extension TypedRowTable {
  /// The rows at the end of a path.
  ///
  /// - Parameters:
  ///   - steps: what the path is made of, which takes longer to find out than to compare it.
  ///   - isToMany: what the path's type says.
  /// - Throws: `StoreError` for a path that was not included.
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
        throw ObjectRequestError.notIncluded(
          steps().map(\.name), entity: Object.entityName,
          included: self.links.map(\.relationship.name)
        ).failure
      }
      rows = rows.first.map { links.ends.rows(of: Int($0)) } ?? []
      (table, hasMany) = (links.table, links.ends.isToMany)
    }
    guard hasMany == isToMany, let table = table as? TypedRowTable<Destination> else {
      throw ObjectRequestError.notIncluded(
        steps().map(\.name), entity: Object.entityName, included: []
      ).failure
    }
    return (table, rows)
  }
}

extension RowLinks.Ends {
  var isToMany: Bool {
    if case .toMany = self { true } else { false }
  }
}
