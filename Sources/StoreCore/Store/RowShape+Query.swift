package import PredicateSQL
package import RecordFormats
package import StoreLayout

extension RowShape {
  /// - Parameters:
  ///   - store: the store's UUID, as object IDs hold it.
  ///   - width: how many columns the SELECT has.
  package init(
    _ query: CompiledQuery, layout: StoreLayout, store: String?, width: Int,
    externalFolder: ExternalFolder? = nil
  ) {
    let cells = query.columns.map { column in
      switch column.source {
      case .value(let index, _): index
      case .objectID(let key, _): key
      case .objectIDs(let index): index
      }
    }
    let columns = query.columns.map { column in
      switch column.source {
      case .value(_, let type):
        Column(name: column.name, content: .init(type, isExternal: column.allowsExternalStorage))
      case .objectID(_, let entity):
        Column(
          name: column.name,
          content: .objectID(Prefixes(entity, layout: layout, store: store)))
      case .objectIDs:
        Column(
          name: column.name,
          content: .objectIDs(Prefixes.byNumber(layout: layout, store: store)))
      }
    }
    self.init(
      columns: columns, cells: cells, width: width,
      largeValues: StoredValueReader(folder: externalFolder))
  }
}

extension RowShape.Prefixes {
  fileprivate init(_ source: ResultColumn.EntitySource, layout: StoreLayout, store: String?) {
    switch source {
    case .fixed(let entity): self = .fixed(Self.prefix(entity, store))
    case .number(let cell):
      self = .byEntity(cell: cell, Self.byNumber(layout: layout, store: store))
    }
  }

  /// The prefix of every entity, by its number.
  fileprivate static func byNumber(layout: StoreLayout, store: String?) -> [Int64: [UInt8]] {
    let pairs = layout.entities.map { ($0.number, prefix($0.name, store)) }
    return Dictionary(pairs) { first, _ in first }
  }

  private static func prefix(_ entity: String, _ store: String?) -> [UInt8] {
    Array("x-coredata://\(store ?? "")/\(entity)/p".utf8)
  }
}
