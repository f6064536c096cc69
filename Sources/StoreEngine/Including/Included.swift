public import StoreModel

/// A row with the destination rows of its included relationships.
///
///     let shelf = try book[\.shelf]          // Included<Shelf>?
///     let books = try shelf[\.books]         // IncludedMembers<Book>
///
/// The subscripts throw a `StoreError` with the reason `invalidRequest` if the relationship wasn't included.
@dynamicMemberLookup
public struct Included<Object: StoredObject>: Sendable, Identifiable {
  @usableFromInline let table: TypedRowTable<Object>
  @usableFromInline let row: Int

  /// The row without the included rows, as a fetch of its type returns it.
  @inlinable public var stored: Stored<Object> { table.rows[row] }
  /// The object ID of the row.
  @inlinable public var id: TypedObjectID<Object> { table.rows[row].id }
  /// The values of the row.
  @inlinable public var value: Object { table.rows[row].value }

  /// Returns the value of a property of the row.
  ///
  /// - Parameter member: the property.
  @inlinable
  public subscript<Member>(dynamicMember member: KeyPath<Object, Member>) -> Member {
    table.rows[row].value[keyPath: member]
  }

  /// Returns the destination of an included to-one relationship, or `nil` if the row has no destination
  /// or the destination is missing in the store.
  ///
  /// - Parameter path: the relationship.
  /// - Throws: `StoreError` if the relationship wasn't included.
  public subscript<Destination>(
    path: KeyPath<Object.Properties, ToOnePath<Object, Destination>>
  ) -> Included<Destination>? {
    get throws(StoreError) {
      let (table, rows) = try table.ends(
        of: row, path, { path.relationship.steps }, Destination.self, isToMany: false)
      return rows.first.map { Included<Destination>(table: table, row: Int($0)) }
    }
  }

  /// Returns the members of an included to-many relationship. Members of an ordered relationship are in its order.
  /// Other members are sorted by key.
  ///
  /// - Parameter path: the relationship.
  /// - Throws: `StoreError` if the relationship wasn't included.
  public subscript<Destination>(
    path: KeyPath<Object.Properties, ToManyPath<Object, Destination>>
  ) -> IncludedMembers<Destination> {
    get throws(StoreError) {
      let (table, rows) = try table.ends(
        of: row, path, { path.relationship.steps }, Destination.self, isToMany: true)
      return IncludedMembers(table: table, rows: rows)
    }
  }
}

extension Included: ObjectReference {}

extension Included: Hashable {
  /// Returns whether the rows and all included rows are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.table.isEqual(left.row, to: right.row, of: right.table)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(stored) }
}

/// The members of an included to-many relationship.
public struct IncludedMembers<Object: StoredObject>: RandomAccessCollection, Sendable {
  let table: TypedRowTable<Object>
  let rows: ArraySlice<Int32>

  /// The index of the first member.
  public var startIndex: Int { 0 }
  /// The index after the last member.
  public var endIndex: Int { rows.count }
  /// Returns a member.
  ///
  /// - Parameter position: the index of the member.
  public subscript(position: Int) -> Included<Object> {
    Included(table: table, row: Int(rows[rows.startIndex + position]))
  }
}

extension IncludedMembers: Hashable {
  public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }

  public func hash(into hasher: inout Hasher) {
    for member in self { hasher.combine(member) }
  }
}
