import StoreDiagnostics
public import StorePredicate

/// A migration from one version of a model to another. It must contain the mappings that can't be inferred from the two
/// versions. It is created in Swift, or read from a file in `Migrations/<Model>/` or from a mapping model.
///
///     MigrationDefinition(
///       from: "Shop 2", to: "Shop 3",
///       entities: [
///         EntityDefinition(
///           "Product", from: "Item",
///           attributes: [AttributeDefinition("total", value: try FormatExpression(parsing: "price * stock"))])
///       ],
///       drops: [DropDefinition(entity: "Item", property: "note")])
public struct MigrationDefinition: Hashable, Sendable {
  /// The name of the source version.
  package var from: Written<String>
  /// The name of the target version.
  package var to: Written<String>
  /// The mapped entities. Definitions with the same target merge the rows of their sources, and definitions with the
  /// same source distribute its rows.
  package var entities: [EntityDefinition]
  package var drops: [DropDefinition]
  /// The SQL that runs before or after the migration, in this order.
  package var statements: [StatementDefinition]
  /// Whether the definition describes every relationship and its inverse, like Core Data's mapping models.
  package var isMappingModel: Bool

  package init(
    from: Written<String>, to: Written<String>, entities: [EntityDefinition] = [],
    drops: [DropDefinition] = [], statements: [StatementDefinition] = [],
    isMappingModel: Bool = false
  ) {
    self.from = from
    self.to = to
    self.entities = entities
    self.drops = drops
    self.statements = statements
    self.isMappingModel = isMappingModel
  }

  /// Creates a migration from one version to another.
  ///
  /// - Parameters:
  ///   - from: The name of the source version.
  ///   - to: The name of the target version.
  ///   - entities: The entities whose mapping can't be inferred.
  ///   - drops: Source data that the migration may drop.
  ///   - statements: SQL that runs before or after the migration, in this order.
  ///   - isMappingModel: Whether the definition describes every relationship and its inverse, like Core Data's mapping
  ///     models.
  public init(
    from: String, to: String, entities: [EntityDefinition] = [], drops: [DropDefinition] = [],
    statements: [StatementDefinition] = [], isMappingModel: Bool = false
  ) {
    self.init(
      from: Written(from), to: Written(to), entities: entities, drops: drops,
      statements: statements, isMappingModel: isMappingModel)
  }

  package var jump: VersionJump { VersionJump(from: from.meaning, to: to.meaning) }
}

/// The mapping of an entity of the target version.
public struct EntityDefinition: Hashable, Sendable {
  /// The name of the entity in the target version.
  package var name: Written<String>
  /// The name of the entity in the source version. If it is nil, the source entity is inferred.
  package var source: Written<String>?
  /// A predicate on the source rows. If it is nil, all rows are migrated.
  package var filter: Written<FormatPredicate>?
  package var attributes: [AttributeDefinition]
  package var relationships: [RelationshipDefinition]

  package init(
    name: Written<String>, source: Written<String>? = nil, filter: Written<FormatPredicate>? = nil,
    attributes: [AttributeDefinition] = [], relationships: [RelationshipDefinition] = []
  ) {
    self.name = name
    self.source = source
    self.filter = filter
    self.attributes = attributes
    self.relationships = relationships
  }

  /// Creates a mapping of an entity.
  ///
  /// - Parameters:
  ///   - name: The name of the entity in the target version.
  ///   - source: The name of the entity in the source version. If it is nil, the source entity is inferred.
  ///   - filter: A predicate on the source rows. If it is nil, all rows are migrated.
  ///   - attributes: The attributes whose values can't be inferred.
  ///   - relationships: The relationships whose destinations can't be inferred.
  public init(
    _ name: String, from source: String? = nil, where filter: FormatPredicate? = nil,
    attributes: [AttributeDefinition] = [], relationships: [RelationshipDefinition] = []
  ) {
    self.init(
      name: Written(name), source: source.map { Written($0) }, filter: filter.map { Written($0) },
      attributes: attributes, relationships: relationships)
  }
}

/// The mapping of an attribute. It has a value, a fallback, or both.
public struct AttributeDefinition: Hashable, Sendable {
  package var name: Written<String>
  /// An expression on the source row. If it is nil, the value is inferred.
  package var value: Written<FormatExpression>?
  /// An expression on the source row. Its value replaces a value that would be nil.
  package var fallback: Written<FormatExpression>?

  package init(
    name: Written<String>, value: Written<FormatExpression>? = nil,
    fallback: Written<FormatExpression>? = nil
  ) {
    self.name = name
    self.value = value
    self.fallback = fallback
  }

  /// Creates a mapping of an attribute.
  ///
  /// - Parameters:
  ///   - name: The name of the attribute in the target version.
  ///   - value: An expression on the source row. If it is nil, the value is inferred.
  ///   - fallback: An expression on the source row. Its value replaces a value that would be nil.
  public init(
    _ name: String, value: FormatExpression? = nil, default fallback: FormatExpression? = nil
  ) {
    self.init(
      name: Written(name), value: value.map { Written($0) }, fallback: fallback.map { Written($0) })
  }
}

/// The mapping of a relationship.
public struct RelationshipDefinition: Hashable, Sendable {
  package enum Destinations: Hashable, Sendable {
    /// A key path from the source row to other source rows. The target rows to which these are migrated are the
    /// destinations.
    case path(Written<FormatExpression>)
    /// A predicate on the source rows of the destination entity. `$source` is the source row that has the relationship.
    case matching(Written<FormatPredicate>)
  }

  package var name: Written<String>
  package var destinations: Destinations

  package init(name: Written<String>, _ destinations: Destinations) {
    self.name = name
    self.destinations = destinations
  }

  /// Creates a mapping that follows a key path.
  ///
  /// - Parameters:
  ///   - name: The name of the relationship in the target version.
  ///   - path: A key path from the source row to other source rows. The target rows to which these are migrated are the
  ///     destinations.
  public init(_ name: String, path: FormatExpression) {
    self.init(name: Written(name), .path(Written(path)))
  }

  /// Creates a mapping that matches rows by a predicate.
  ///
  /// - Parameters:
  ///   - name: The name of the relationship in the target version.
  ///   - match: A predicate on the source rows of the destination entity. `$source` is the source row that has the
  ///     relationship.
  public init(_ name: String, matching match: FormatPredicate) {
    self.init(name: Written(name), .matching(Written(match)))
  }
}

/// Source data that a migration may drop: the rows of an entity, or the values of one property.
public struct DropDefinition: Hashable, Sendable {
  package var entity: Written<String>
  /// The property whose values are dropped. If it is nil, rows are dropped.
  package var property: Written<String>?
  /// A predicate on the affected rows. If it is nil, all rows are affected.
  package var filter: Written<FormatPredicate>?

  package init(
    entity: Written<String>, property: Written<String>? = nil,
    filter: Written<FormatPredicate>? = nil
  ) {
    self.entity = entity
    self.property = property
    self.filter = filter
  }

  /// Creates a definition of data that may be dropped.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity in the source version.
  ///   - property: The property whose values are dropped. If it is nil, rows are dropped.
  ///   - filter: A predicate on the affected rows. If it is nil, all rows are affected.
  public init(entity: String, property: String? = nil, where filter: FormatPredicate? = nil) {
    self.init(
      entity: Written(entity), property: property.map { Written($0) },
      filter: filter.map { Written($0) })
  }
}

/// SQL that runs as part of a migration.
public struct StatementDefinition: Hashable, Sendable {
  /// When the SQL of a definition runs.
  public enum Moment: String, Hashable, Sendable, CaseIterable {
    /// Before the migration, on the tables of the source version.
    case before
    /// After the migration, on the tables of the target version.
    case after
  }

  package var moment: Moment
  /// One or more statements.
  package var sql: Written<String>

  package init(_ moment: Moment, _ sql: Written<String>) {
    self.moment = moment
    self.sql = sql
  }

  /// Creates a definition of SQL.
  ///
  /// - Parameters:
  ///   - moment: When the SQL runs.
  ///   - sql: One or more statements on the tables of the store.
  public init(_ moment: Moment, sql: String) {
    self.init(moment, Written(sql))
  }
}

extension MigrationDefinition {
  /// The name of the variable `$source`, which a predicate of `RelationshipDefinition` can use.
  package static let sourceVariable = "source"
}

/// The source version and the target version of a migration definition.
package struct VersionJump: Hashable, Sendable {
  package var from: String
  package var to: String

  package init(from: String, to: String) {
    self.from = from
    self.to = to
  }

  package static func == (left: VersionJump, right: VersionJump) -> Bool {
    left.from.isExactly(right.from) && left.to.isExactly(right.to)
  }
}
