public import StoreModel

/// Reads rows of a type for whoever does not know the type.
///
/// It is inlinable, so that the loop over the rows is compiled where the type is known, as that of a fetch is.
@usableFromInline
struct RowsReader: Sendable {
  /// All rows of the type.
  let request: StoreFetchRequest
  let makeTable: @Sendable () -> RowTable
  /// Reads all rows of a batch into a table that `makeTable` has made.
  let read: @Sendable (RowTable, inout PackedRowReader, inout RowCollector) throws -> Void

  @inlinable
  init<Object: StoredObject>(_: Object.Type) {
    self.init(Object.all.request, { TypedRowTable<Object>() }) { table, reader, collector in
      let table = unsafeDowncast(table, to: TypedRowTable<Object>.self)
      var rows = table.rows
      table.rows = []
      defer { table.rows = rows }
      while reader.nextRow() {
        guard collector.take(reader.cells) else { continue }
        let id = try reader.read(TypedObjectID<Object>.self)
        rows.append(Stored(id: id, value: try Object(row: &reader)))
      }
    }
  }

  @usableFromInline
  init(
    _ request: StoreFetchRequest, _ makeTable: @escaping @Sendable () -> RowTable,
    _ read: @escaping @Sendable (RowTable, inout PackedRowReader, inout RowCollector) throws -> Void
  ) {
    self.request = request
    self.makeTable = makeTable
    self.read = read
  }
}
