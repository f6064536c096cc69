import StoreDiagnostics
public import StorePredicate

/// How one version of a model becomes another where that can't be inferred, as a person writes it: in Swift, or in
/// a file in `Migrations/<Model>/`. What it does not mention is inferred.
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
  /// The name of the version that it migrates from.
  package var from: Written<String>
  /// The name of the version that it migrates to.
  package var to: Written<String>
  /// Several of one target merge rows, several of one source split them.
  package var entities: [EntityDefinition]
  package var drops: [DropDefinition]
  /// In the order of the file.
  package var statements: [StatementDefinition]
  /// It was read from Core Data's own format, which describes both sides of every relationship.
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

  /// - Parameters:
  ///   - from: the name of the version that it migrates from.
  ///   - to: the name of the version that it migrates to.
  ///   - entities: what happens to the rows of each entity.
  ///   - drops: what of the source may go.
  ///   - statements: SQL that runs before or after, in this order.
  ///   - isMappingModel: whether it describes both sides of every relationship, as Core Data's mapping models do.
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

/// Where the rows of an entity come from.
public struct EntityDefinition: Hashable, Sendable {
  /// An entity of the target.
  package var name: Written<String>
  /// An entity of the source; nil is the one that is inferred.
  package var source: Written<String>?
  /// Over the source rows; nil is all of them.
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

  /// - Parameters:
  ///   - name: an entity of the target.
  ///   - source: an entity of the source; nil for the one that is inferred.
  ///   - filter: over the source rows; nil for all of them.
  ///   - attributes: where the values of attributes come from.
  ///   - relationships: where the values of relationships come from.
  public init(
    _ name: String, from source: String? = nil, where filter: FormatPredicate? = nil,
    attributes: [AttributeDefinition] = [], relationships: [RelationshipDefinition] = []
  ) {
    self.init(
      name: Written(name), source: source.map { Written($0) }, filter: filter.map { Written($0) },
      attributes: attributes, relationships: relationships)
  }
}

/// Where the values of an attribute come from: at least one of the two is said.
public struct AttributeDefinition: Hashable, Sendable {
  package var name: Written<String>
  /// Over the source row; nil is what is inferred.
  package var value: Written<FormatExpression>?
  /// Over the source row: what takes the place of nil.
  package var fallback: Written<FormatExpression>?

  package init(
    name: Written<String>, value: Written<FormatExpression>? = nil,
    fallback: Written<FormatExpression>? = nil
  ) {
    self.name = name
    self.value = value
    self.fallback = fallback
  }

  /// - Parameters:
  ///   - name: the name of the attribute in the target.
  ///   - value: over the source row; nil for what is inferred.
  ///   - fallback: over the source row: what takes the place of nil.
  public init(
    _ name: String, value: FormatExpression? = nil, default fallback: FormatExpression? = nil
  ) {
    self.init(
      name: Written(name), value: value.map { Written($0) }, fallback: fallback.map { Written($0) })
  }
}

/// Where the destinations of a relationship come from.
public struct RelationshipDefinition: Hashable, Sendable {
  package enum Destinations: Hashable, Sendable {
    /// A key path over the source row to source rows: what has become of them.
    case path(Written<FormatExpression>)
    /// Over the source rows that become the destination's; `$source` is the row itself.
    case matching(Written<FormatPredicate>)
  }

  package var name: Written<String>
  package var destinations: Destinations

  package init(name: Written<String>, _ destinations: Destinations) {
    self.name = name
    self.destinations = destinations
  }

  /// - Parameters:
  ///   - name: the name of the relationship in the target.
  ///   - path: a key path over the source row to source rows: what has become of them.
  public init(_ name: String, path: FormatExpression) {
    self.init(name: Written(name), .path(Written(path)))
  }

  /// - Parameters:
  ///   - name: the name of the relationship in the target.
  ///   - match: over the source rows that become the destination's; `$source` is the row itself.
  public init(_ name: String, matching match: FormatPredicate) {
    self.init(name: Written(name), .matching(Written(match)))
  }
}

/// Something of the source that may go: all rows of an entity, some of them, or the values of one
/// property.
public struct DropDefinition: Hashable, Sendable {
  package var entity: Written<String>
  /// Nil drops rows.
  package var property: Written<String>?
  /// Which rows; nil is all of them.
  package var filter: Written<FormatPredicate>?

  package init(
    entity: Written<String>, property: Written<String>? = nil,
    filter: Written<FormatPredicate>? = nil
  ) {
    self.entity = entity
    self.property = property
    self.filter = filter
  }

  /// - Parameters:
  ///   - entity: the entity in the source.
  ///   - property: nil for rows.
  ///   - filter: which rows; nil for all of them.
  public init(entity: String, property: String? = nil, where filter: FormatPredicate? = nil) {
    self.init(
      entity: Written(entity), property: property.map { Written($0) },
      filter: filter.map { Written($0) })
  }
}

/// SQL that runs as it is written.
public struct StatementDefinition: Hashable, Sendable {
  public enum Moment: String, Hashable, Sendable, CaseIterable {
    /// On the store as the source version has it.
    case before
    /// On the store as the target version has it.
    case after
  }

  package var moment: Moment
  /// One statement or more.
  package var sql: Written<String>

  package init(_ moment: Moment, _ sql: Written<String>) {
    self.moment = moment
    self.sql = sql
  }

  /// - Parameters:
  ///   - moment: when the SQL runs.
  ///   - sql: one statement or more, over the tables of the store.
  public init(_ moment: Moment, sql: String) {
    self.init(moment, Written(sql))
  }
}

extension MigrationDefinition {
  /// `$source`: the row that becomes the entity's, in a predicate over others.
  package static let sourceVariable = "source"
}

/// From one version of a model to another, with nothing in between.
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
