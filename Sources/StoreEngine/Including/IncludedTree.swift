public import StoreModel

/// Which relationships are read along, from rows of one type on.
@usableFromInline
struct IncludedTree: @unchecked Sendable {
  /// One relationship, and what is read along behind it.
  struct Branch {
    let relationship: RelationshipKey
    /// As it was included, where it is one relationship's. It holds nothing that changes.
    var path: AnyKeyPath?
    var tree: IncludedTree
  }

  private(set) var reader: RowsReader
  private(set) var branches: [Branch] = []

  init(_ reader: RowsReader) {
    self.reader = reader
  }

  /// - Parameters:
  ///   - steps: the way to the rows that `reader` reads. What is on it is read along, too.
  ///   - path: what the steps were made of.
  mutating func include(
    _ steps: ArraySlice<RelationshipKey>, _ path: AnyKeyPath, _ reader: RowsReader
  ) {
    guard let first = steps.first else { return }
    let rest = steps.dropFirst()
    let index = branches.firstIndex { $0.relationship == first } ?? branches.count
    if index == branches.count {
      branches.append(
        Branch(relationship: first, tree: IncludedTree(Self.reader(of: first.destination))))
    }
    guard rest.isEmpty else { return branches[index].tree.include(rest, path, reader) }
    if steps.startIndex == 0 { branches[index].path = path }
    branches[index].tree.reader = reader
  }

  /// One that was not compiled for the type; a path to the very rows brings a faster one.
  private static func reader<Object: StoredObject>(of type: Object.Type) -> RowsReader {
    RowsReader(type)
  }
}

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
