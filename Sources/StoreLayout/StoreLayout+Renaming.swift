extension StoreLayout {
  /// Returns a layout for reading the same rows from tables with other names. It doesn't contain triggers.
  package func renamingTables(_ name: (String) -> String) -> StoreLayout {
    var layout = self
    layout.entities = entities.map { entity in
      var entity = entity
      entity.table = name(entity.table)
      entity.toMany = entity.toMany.mapValues { $0.renamingTable(name) }
      return entity
    }
    layout.tables = tables.map { table in
      var table = table
      table.name = name(table.name)
      return table
    }
    layout.joinTables = joinTables.map { table in
      var table = table
      table.name = name(table.name)
      return table
    }
    layout.triggers = []
    return layout
  }

  /// Returns the layout of the store after the join tables `tables` have been renamed to their usual names.
  package func namingAsUsual(_ tables: [String]) -> StoreLayout {
    let names = Dictionary(
      joinTables.filter { tables.contains($0.name) }.map { ($0.name, $0.usualName) }
    ) { first, _ in first }
    var layout = renamingTables { names[$0, default: $0] }
    layout.joinTables = joinTables.map { names[$0.name] == nil ? $0 : $0.named }
    layout.triggers = triggers
    for index in omissions.indices {
      let table = omissions[index].table
      layout.omissions[index].table = names[table, default: table]
    }
    return layout
  }
}

extension ToManyLayout {
  fileprivate func renamingTable(_ name: (String) -> String) -> ToManyLayout {
    switch self {
    case .column(var key):
      key.table = name(key.table)
      return .column(key)
    case .joinTable(var join):
      join.table = name(join.table)
      return .joinTable(join)
    }
  }
}
