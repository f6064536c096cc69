public import StoreModel

/// A row that was read with what stands at the other end of its relationships.
///
///     let shelf = try book[\.shelf]          // Included<Shelf>?
///     let books = try shelf[\.books]         // IncludedMembers<Book>
///
/// A subscript throws a `StoreError` with the reason `invalidRequest` for a relationship that was not included.
@dynamicMemberLookup
public struct Included<Object: StoredObject>: Sendable, Identifiable {
  @usableFromInline let table: TypedRowTable<Object>
  @usableFromInline let row: Int

  init(_ table: TypedRowTable<Object>, _ row: Int) {
    self.table = table
    self.row = row
  }

  /// The row alone, as a fetch of its type reads it.
  @inlinable public var stored: Stored<Object> { table.rows[row] }
  @inlinable public var id: TypedObjectID<Object> { table.rows[row].id }
  @inlinable public var value: Object { table.rows[row].value }

  @inlinable
  public subscript<Member>(dynamicMember member: KeyPath<Object, Member>) -> Member {
    table.rows[row].value[keyPath: member]
  }

  /// What a to-one relationship leads to; nil for nothing, and for a row that the store does not have.
  public subscript<Destination>(
    path: KeyPath<Object.Properties, ToOnePath<Object, Destination>>
  ) -> Included<Destination>? {
    get throws(StoreError) {
      let (table, rows) = try table.ends(
        of: row, path, { path.relationship.steps }, Destination.self, isToMany: false)
      return rows.first.map { Included<Destination>(table, Int($0)) }
    }
  }

  /// The members of a to-many relationship: in their order where it is ordered, else in that of their keys.
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
  /// Whether the rows are equal, and all that was read with them.
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
