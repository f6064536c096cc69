public import StorePredicate

/// A Swift type for the rows of one entity. Its properties are the attributes and to-one relationships.
/// `storetool generate` writes such types from a model.
///
///     try await store.fetch(Product.all.where(\.price > 10).ordered(by: \.title))
public protocol StoredObject: Hashable, Sendable {
  /// The properties that requests can use. Key paths of this type are the typed key paths of the entity.
  associatedtype Properties: ObjectProperties where Properties.Owner == Self

  /// The name of the entity in the model.
  static var entityName: String { get }
  /// The names of the entities whose rows can be read as this type: the entity and the entities that inherit from it.
  static var entityNames: Set<String> { get }
  /// The names of the properties that `init(row:)` reads, in this order.
  static var propertyNames: [String] { get }

  /// Reads the values of `propertyNames` from a row.
  ///
  /// - Parameter row: The row to read from.
  /// - Throws: The error of the row if a value can't be converted to the type of its property.
  init(row: inout some RowReader) throws

  /// The values of all properties, by the name of the property. Requests that insert or update the row write them.
  var propertyValues: [String: DataValue] { get }
}

/// The typed key paths of an entity or a composite.
public protocol ObjectProperties {
  /// The type of the rows or of the composite.
  associatedtype Owner
  /// Creates the key paths. Instances don't have state.
  init()
}

extension StoredObject {
  /// The typed object ID of a row.
  public typealias ID = TypedObjectID<Self>

  /// A query for all rows of the entity, including rows of sub-entities.
  public static var all: TypedQuery<Self> { TypedQuery(StoreFetchRequest(entity: entityName)) }
}

/// A row of a store, with its object ID and its values.
///
///     for product in try await store.fetch(Product.all) { print(product.id, product.title) }
@dynamicMemberLookup
public struct Stored<Object: StoredObject>: Hashable, Sendable, Identifiable {
  /// The object ID of the row.
  public let id: TypedObjectID<Object>
  /// The values of the row.
  public var value: Object

  /// Creates a row from its object ID and its values.
  @inlinable
  public init(id: TypedObjectID<Object>, value: Object) {
    self.id = id
    self.value = value
  }

  /// A property of `value`.
  public subscript<Member>(dynamicMember member: KeyPath<Object, Member>) -> Member {
    value[keyPath: member]
  }

  /// A property of `value`.
  public subscript<Member>(dynamicMember member: WritableKeyPath<Object, Member>) -> Member {
    get { value[keyPath: member] }
    set { value[keyPath: member] = newValue }
  }
}

/// One version of a model as generated Swift source. Programs open stores with it.
///
///     let store = try await PersistentStore.open("Shop.sqlite", schema: ShopModel.self)
public protocol SchemaModel: Sendable {
  /// The model.
  static var model: DataModel { get }
}

/// All versions of a model as generated Swift source. Programs migrate stores with it. The build plugin
/// writes it if `storetool-generate.json` specifies all versions.
///
///     let store = try await PersistentStore.open(
///       "Shop.sqlite", schema: ShopModel.self, migrating: .automatic)
public protocol VersionedSchemaModel: SchemaModel {
  /// All versions from old to new, including the current one.
  static var versions: [any SchemaModel.Type] { get }
  /// The definitions of the migrations that can't be inferred.
  static var migrations: [MigrationDefinition] { get }
}

/// The fetch request templates of models as functions. `storetool generate` adds a function for each template.
///
///     try await store.fetch(Templates.peopleFR(name: "Ray"))
public enum Templates {}

/// The object ID of a row that can be read as `Object`.
public struct TypedObjectID<Object: StoredObject>: Hashable, Sendable {
  /// The untyped object ID. Its entity is the entity of the row, which may be a sub-entity of the entity of `Object`.
  public let objectID: ObjectID

  /// Creates a typed object ID.
  ///
  /// - Parameter objectID: An untyped object ID.
  /// - Returns: nil if rows of its entity can't be read as `Object`.
  @inlinable
  public init?(_ objectID: ObjectID) {
    // Most rows belong to the entity of the type. This comparison avoids hashing the name of each row.
    guard
      objectID.entity == Object.entityName || Object.entityNames.contains(objectID.entity)
    else { return nil }
    self.objectID = objectID
  }

  /// Creates the ID of the row with a primary key, in any store.
  ///
  ///     let tea = try await store.object(TypedObjectID<Tea>(primaryKey: 7))
  ///
  /// It isn't equal to the ID of a fetched row, which contains the store and the entity of the row.
  ///
  /// - Parameter primaryKey: the primary key of the row.
  public init(primaryKey: Int64) {
    self.init(
      trusted: ObjectID(store: nil, entity: Object.entityName, primaryKey: primaryKey))
  }

  /// Creates a typed object ID from an ID that a store returned for this type.
  package init(trusted objectID: ObjectID) {
    self.objectID = objectID
  }

  /// Converts the ID to the type of an ancestor or descendant.
  ///
  /// - Returns: The converted ID, or nil if the row can't be read as the other type.
  public func cast<Other: StoredObject>(to _: Other.Type) -> TypedObjectID<Other>? {
    TypedObjectID<Other>(objectID)
  }
}

/// A row or its object ID. Functions that require one row accept both.
///
///     let tea = try await store.first(Tea.all.where(\.name == "Sencha"))
///     if let tea { try await store.update(tea) { $0.stock = 0 } }
public protocol ObjectReference<Object>: Sendable {
  /// The type of the row.
  associatedtype Object: StoredObject
  /// The object ID of the row.
  var id: TypedObjectID<Object> { get }
}

extension Stored: ObjectReference {}

extension TypedObjectID: ObjectReference {
  /// The object ID itself.
  public var id: Self { self }
}

extension TypedObjectID: LosslessStringConvertible {
  /// The URI: `x-coredata://STORE-UUID/Product/p7`.
  public var description: String { objectID.uri }

  /// Creates a typed object ID from a URI, or from the short form `Product/p7`, which is the ID of a row in any store.
  ///
  /// - Parameter description: a URI or a short form.
  /// - Returns: nil if the text is neither of them, or if rows of its entity can't be read as `Object`.
  public init?(_ description: String) {
    guard let objectID = ObjectID(text: description) else { return nil }
    self.init(objectID)
  }
}

extension TypedObjectID: Codable {
  /// Decodes a URI or a short form, such as `Product/p7`.
  ///
  /// - Parameter decoder: the decoder, whose value must be a string.
  /// - Throws: `DecodingError`, also if rows of the entity can't be read as `Object`.
  public init(from decoder: any Decoder) throws {
    let objectID = try ObjectID(from: decoder)
    guard let id = Self(objectID) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "'\(objectID.uri)' isn't the ID of a row of '\(Object.entityName)'"))
    }
    self = id
  }

  /// Encodes the URI.
  ///
  /// - Parameter encoder: the encoder, which receives a string.
  /// - Throws: the errors of the encoder.
  public func encode(to encoder: any Encoder) throws { try objectID.encode(to: encoder) }
}

/// A row is encoded with the keys `id` and `value`.
extension Stored: Encodable where Object: Encodable {}
extension Stored: Decodable where Object: Decodable {}

extension TypedObjectID {
  /// A predicate that matches only this row.
  package var predicate: FormatPredicate {
    .comparison(FormatComparison(FormatExpression(.selfObject), .equal, .value(storeValue)))
  }

  /// Returns a query for the members of a to-many relationship of this row.
  ///
  ///     try await store.fetch(order.id.members(of: \.lines).where(\.amount > 1).limit(10))
  ///
  /// The members of an ordered relationship have its order, unless the query specifies another one. If the row doesn't
  /// exist, the result is empty.
  ///
  /// - Parameter path: The to-many relationship.
  public func members<Member: StoredObject>(
    of path: KeyPath<Object.Properties, ToManyPath<Object, Member>>
  ) -> TypedQuery<Member> {
    var request = StoreFetchRequest(entity: Member.entityName)
    request.membership = Membership(owner: objectID, path: path.relationship.steps.map(\.name))
    return TypedQuery(request)
  }
}
