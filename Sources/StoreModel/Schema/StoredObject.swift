public import StorePredicate

/// A Swift type for the rows of one entity: its attributes and to-one relationships as values. `storetool
/// generate` writes such types from a model.
///
///     try await store.fetch(Product.all.where(\.price > 10).ordered(by: \.title))
public protocol StoredObject: Hashable, Sendable {
  /// What can be said of such a row in a request; key paths into it are the typed key paths of the entity.
  associatedtype Properties: ObjectProperties where Properties.Owner == Self

  /// The entity's name in the model.
  static var entityName: String { get }
  /// The names of the entities whose rows can be read as this type: its own and those that inherit from it.
  static var entityNames: Set<String> { get }
  /// The properties that `init(row:)` reads, in its order.
  static var propertyNames: [String] { get }

  /// Reads the properties of `propertyNames` one after the other.
  ///
  /// - Throws: what the row throws for a value that the property can't have.
  init(row: inout some RowReader) throws

  /// Every property under its name, for writing.
  var propertyValues: [String: Value] { get }
}

/// The typed key paths of an entity.
public protocol ObjectProperties {
  associatedtype Owner: StoredObject
  init()
}

extension StoredObject {
  public typealias ID = TypedObjectID<Self>

  /// Every row of the entity and of those that inherit from it.
  public static var all: TypedQuery<Self> { TypedQuery(StoreFetchRequest(entity: entityName)) }
}

/// A row that a store has: its values, and its identity.
///
///     for product in try await store.fetch(Product.all) { print(product.id, product.title) }
@dynamicMemberLookup
public struct Stored<Object: StoredObject>: Hashable, Sendable, Identifiable {
  public let id: TypedObjectID<Object>
  public var value: Object

  @inlinable
  public init(id: TypedObjectID<Object>, value: Object) {
    self.id = id
    self.value = value
  }

  public subscript<Member>(dynamicMember member: KeyPath<Object, Member>) -> Member {
    value[keyPath: member]
  }

  public subscript<Member>(dynamicMember member: WritableKeyPath<Object, Member>) -> Member {
    get { value[keyPath: member] }
    set { value[keyPath: member] = newValue }
  }
}
