package import StorePredicate

/// How one version of a model becomes another where that can't be inferred, as a person writes it:
/// a file in `Migrations/<Model>/`. What it does not mention is inferred.
package struct MigrationDefinition: Hashable, Sendable {
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
}

/// Where the rows of an entity come from.
package struct EntityDefinition: Hashable, Sendable {
  /// An entity of the target.
  package var name: Written<String>
  /// An entity of the source; nil is the one that is inferred.
  package var source: Written<String>?
  /// Over the source rows; nil is all of them.
  package var filter: Written<Predicate>?
  package var attributes: [AttributeDefinition]
  package var relationships: [RelationshipDefinition]

  package init(
    name: Written<String>, source: Written<String>? = nil, filter: Written<Predicate>? = nil,
    attributes: [AttributeDefinition] = [], relationships: [RelationshipDefinition] = []
  ) {
    self.name = name
    self.source = source
    self.filter = filter
    self.attributes = attributes
    self.relationships = relationships
  }
}

/// Where the values of an attribute come from: at least one of the two is said.
package struct AttributeDefinition: Hashable, Sendable {
  package var name: Written<String>
  /// Over the source row; nil is what is inferred.
  package var value: Written<Expression>?
  /// Over the source row: what takes the place of nil.
  package var fallback: Written<Expression>?

  package init(
    name: Written<String>, value: Written<Expression>? = nil, fallback: Written<Expression>? = nil
  ) {
    self.name = name
    self.value = value
    self.fallback = fallback
  }
}

/// Where the destinations of a relationship come from.
package struct RelationshipDefinition: Hashable, Sendable {
  package enum Destinations: Hashable, Sendable {
    /// A key path over the source row to source rows: what has become of them.
    case path(Written<Expression>)
    /// Over the source rows that become the destination's; `$source` is the row itself.
    case matching(Written<Predicate>)
  }

  package var name: Written<String>
  package var destinations: Destinations

  package init(name: Written<String>, _ destinations: Destinations) {
    self.name = name
    self.destinations = destinations
  }
}

/// Something of the source that may go: all rows of an entity, some of them, or the values of one
/// property.
package struct DropDefinition: Hashable, Sendable {
  package var entity: Written<String>
  /// Nil drops rows.
  package var property: Written<String>?
  /// Which rows; nil is all of them.
  package var filter: Written<Predicate>?

  package init(
    entity: Written<String>, property: Written<String>? = nil, filter: Written<Predicate>? = nil
  ) {
    self.entity = entity
    self.property = property
    self.filter = filter
  }
}

/// SQL that runs as it is written.
package struct StatementDefinition: Hashable, Sendable {
  package enum Moment: String, Hashable, Sendable, CaseIterable {
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
}

extension MigrationDefinition {
  /// `$source`: the row that becomes the entity's, in a predicate over others.
  package static let sourceVariable = "source"
}
