extension StoreLayout {
  /// The same rows in tables of other names, to be read.
  package func renamingTables(_ name: (String) -> String) -> StoreLayout {
    var layout = self
    for index in entities.indices {
      layout.entities[index].table = name(entities[index].table)
      layout.entities[index].toMany = entities[index].toMany.mapValues { $0.renamingTable(name) }
    }
    for index in tables.indices { layout.tables[index].name = name(tables[index].name) }
    for index in joinTables.indices { layout.joinTables[index].name = name(joinTables[index].name) }
    layout.triggers = []
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
