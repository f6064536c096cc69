public import StoreModel

/// A row that was read with the destinations of its relationships.
///
///     let shelf = try book[\.shelf]          // Included<Shelf>?
///     let books = try shelf[\.books]         // IncludedMembers<Book>
///
/// A subscript throws a `StoreError` with the reason `invalidRequest` for a relationship that isn't included.
@dynamicMemberLookup
public struct Included<Object: StoredObject>: Sendable, Identifiable {
  @usableFromInline let table: TypedRowTable<Object>
  @usableFromInline let row: Int

  init(_ table: TypedRowTable<Object>, _ row: Int) {
    self.table = table
    self.row = row
  }

  /// The row, as in a fetch of its type.
  @inlinable public var stored: Stored<Object> { table.rows[row] }
  /// The object ID of the row.
  @inlinable public var id: TypedObjectID<Object> { table.rows[row].id }
  /// The values of the row.
  @inlinable public var value: Object { table.rows[row].value }

  /// The value of a property.
  @inlinable
  public subscript<Member>(dynamicMember member: KeyPath<Object, Member>) -> Member {
    table.rows[row].value[keyPath: member]
  }

  /// The destination of a to-one relationship, or nil if there is none or the store doesn't contain it.
  public subscript<Destination>(
    path: KeyPath<Object.Properties, ToOnePath<Object, Destination>>
  ) -> Included<Destination>? {
    get throws(StoreError) {
      let (table, rows) = try table.ends(
        of: row, path, { path.relationship.steps }, Destination.self, isToMany: false)
      return rows.first.map { Included<Destination>(table, Int($0)) }
    }
  }

  /// The members of a to-many relationship, in their order, or in the order of their keys if it is unordered.
  public subscript<Destination>(
    path: KeyPath<Object.Properties, ToManyPath<Object, Destination>>
  ) -> IncludedMembers<Destination> {
    get throws(StoreError) {
      let (table, rows) = try table.ends(
        of: row, path, { path.relationship.steps }, Destination.self, isToMany: true)
      return IncludedMembers(table, rows)
    }
  }
}

extension Included: Hashable {
  /// Returns whether the rows and all rows that were read with them are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.table.isEqual(left.row, to: right.row, of: right.table)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(stored) }
}

/// The members of a to-many relationship that were read with its owner.
public struct IncludedMembers<Object: StoredObject>: RandomAccessCollection, Sendable {
  private let table: TypedRowTable<Object>
  private let rows: ArraySlice<Int32>

  init(_ table: TypedRowTable<Object>, _ rows: ArraySlice<Int32>) {
    self.table = table
    self.rows = rows
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { rows.count }
  public subscript(position: Int) -> Included<Object> {
    Included(table, Int(rows[rows.startIndex + position]))
  }
}

extension IncludedMembers: Hashable {
  public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }

  public func hash(into hasher: inout Hasher) {
    for member in self { hasher.combine(member) }
  }
}
