public import StoreModel

/// The relationships to include, starting at the rows of one type.
@usableFromInline
struct IncludedTree: @unchecked Sendable {
  /// One relationship, and the relationships to include in its rows.
  struct Branch {
    let relationship: RelationshipKey
    /// The key path that included this branch, if it consists of only this relationship. Key paths are immutable, so
    /// the tree is Sendable.
    var path: AnyKeyPath?
    var tree: IncludedTree
  }

  private(set) var reader: RowsReader
  private(set) var branches: [Branch] = []

  /// - Parameters:
  ///   - steps: the path to the rows that `reader` reads. All relationships of the path are included.
  ///   - path: the key path of the steps.
  mutating func include(
    _ steps: ArraySlice<RelationshipKey>, _ path: AnyKeyPath, _ reader: RowsReader
  ) {
    guard let first = steps.first else { return }
    let rest = steps.dropFirst()
    let index = branches.firstIndex { $0.relationship == first } ?? branches.count
    if index == branches.count {
      branches.append(
        Branch(relationship: first, tree: IncludedTree(reader: Self.reader(of: first.destination))))
    }
    guard rest.isEmpty else { return branches[index].tree.include(rest, path, reader) }
    if steps.startIndex == 0 { branches[index].path = path }
    branches[index].tree.reader = reader
  }

  /// Returns a reader that isn't specialized for the type. It is replaced with a specialized reader if a path ends at
  /// the rows.
  private static func reader<Object: StoredObject>(of type: Object.Type) -> RowsReader {
    RowsReader(type)
  }
}

/// Reads rows of a type for code that isn't generic over the type.
///
/// It is inlinable, so that the loop over the rows is compiled where the type is known, as in a fetch.
@usableFromInline
struct RowsReader: Sendable {
  /// The request for all rows of the type.
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
