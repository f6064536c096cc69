public import StoreModel

/// The relationships that are read with the rows of a type.
@usableFromInline
struct IncludedTree: @unchecked Sendable {
  /// A relationship, and the relationships that are read after it.
  struct Branch {
    let relationship: RelationshipKey
    /// The included key path, if it consists of one relationship. It doesn't contain mutable state.
    var path: AnyKeyPath?
    var tree: IncludedTree
  }

  private(set) var reader: RowsReader
  private(set) var branches: [Branch] = []

  init(_ reader: RowsReader) {
    self.reader = reader
  }

  /// - Parameters:
  ///   - steps: the relationships to the rows that `reader` reads. All of them are read.
  ///   - path: the key path of the steps.
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

  /// A reader that isn't compiled for the type. A path to these rows replaces it by a faster one.
  private static func reader<Object: StoredObject>(of type: Object.Type) -> RowsReader {
    RowsReader(type)
  }
}

/// A reader of rows for code that doesn't know their type.
///
/// It is inlinable, so that the loop over the rows is compiled where the type is known, like the loop of a fetch.
@usableFromInline
struct RowsReader: Sendable {
  /// The request of all rows of the type.
  let request: StoreFetchRequest
  let makeTable: @Sendable () -> RowTable
  /// Reads all rows of a batch into a table that `makeTable` has created.
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
