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

/// One version of a model as generated Swift source: what a program opens a store with.
///
///     let store = try await PersistentStore.open("Shop.sqlite", schema: ShopModel.self)
public protocol SchemaModel: Sendable {
  static var model: Model { get }
}

/// The current version of a model as generated Swift source, with all its versions: what a program migrates stores
/// with. The plugin writes it where `storetool-generate.json` asks for all versions.
///
///     let store = try await PersistentStore.open(
///       "Shop.sqlite", schema: ShopModel.self, migrating: .automatically)
public protocol VersionedSchemaModel: SchemaModel {
  /// Older ones first; the current one among them.
  static var versions: [any SchemaModel.Type] { get }
  /// Between versions where what becomes of rows can't be inferred.
  static var migrations: [MigrationDefinition] { get }
}

/// The fetch-request templates of models as functions: `storetool generate` adds one for each.
///
///     try await store.fetch(Templates.peopleFR(name: "Ray"))
public enum Templates {}

/// The object ID of a row that can be read as `Object`.
public struct TypedObjectID<Object: StoredObject>: Hashable, Sendable {
  /// Names the row's own entity, which may inherit from that of `Object`.
  public let objectID: ObjectID

  /// Nil for the ID of a row of another entity.
  @inlinable
  public init?(_ objectID: ObjectID) {
    // Most rows are of the type's own entity, and a set has to hash the name of each.
    guard
      objectID.entity == Object.entityName || Object.entityNames.contains(objectID.entity)
    else { return nil }
    self.objectID = objectID
  }

  /// For an ID that a store gave for a row of this type.
  package init(trusted objectID: ObjectID) {
    self.objectID = objectID
  }

  /// The same row as one of an entity that `Object` inherits from, or, when the row is one, of an
  /// entity that inherits from it; else nil.
  public func cast<Other: StoredObject>(to _: Other.Type) -> TypedObjectID<Other>? {
    TypedObjectID<Other>(objectID)
  }
}

extension TypedObjectID: CustomStringConvertible {
  /// The URI: `x-coredata://STORE-UUID/Product/p7`.
  public var description: String { objectID.uri }
}

extension TypedObjectID {
  /// Only this row.
  package var predicate: FormatPredicate {
    .comparison(Comparison(FormatExpression(.selfObject), .equal, .value(storeValue)))
  }

  /// The members of a to-many relationship of this row, as a query: to be narrowed, sorted, counted and followed as any
  /// other.
  ///
  ///     try await store.fetch(order.id.members(of: \.lines).where(\.amount > 1).limit(10))
  ///
  /// Those of an ordered relationship are in its order, where nothing else is said. A row that is not there has none.
  public func members<Member: StoredObject>(
    of path: KeyPath<Object.Properties, ToManyPath<Object, Member>>
  ) -> TypedQuery<Member> {
    var request = StoreFetchRequest(entity: Member.entityName)
    request.membership = Membership(owner: objectID, path: path.relationship.steps.map(\.name))
    return TypedQuery(request)
  }
}
