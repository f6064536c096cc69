package import StoreModel

/// A detail of an inferred model that isn't certain, with its evidence.
package struct Guess: Hashable, Sendable {
  /// The part of the model, or nil for the whole model.
  package var part: ModelPart?
  package var kind: Kind

  package enum Kind: Hashable, Sendable {
    /// Details that tables never contain, such as defaults, validation and transient properties.
    case unsaid
    /// `Z_PRIMARYKEY` contains the old name of the entity, and the metadata contains the new one.
    case renamedEntity(old: String)
    /// No row has the entity's number, so it may be abstract.
    case maybeAbstract
    /// Only the upper-case name of a column is known.
    case spelling(column: String)
    /// The type is a guess, because columns of the types in `among` have the same declared type.
    case type(column: String, among: [AttributeType])
    /// The type was determined by the values. The types `among` are also possible.
    case typeByValues(column: String, among: [AttributeType])
    /// The declared type isn't one of Core Data's.
    case foreignType(column: String, declared: String)
    /// The first byte of each value specifies its location, as in external storage.
    case externalStorage
    /// The first byte of each value may specify its location, as in external storage. It isn't removed, because it can
    /// also be a part of the value.
    case maybeExternalStorage
    /// Triggers update the attribute. Their SQL isn't converted to a derivation expression.
    case derived
    /// The entity that declares the property is a guess, because several entities share the table. Rows of the entities
    /// `valuesIn` have values in the column.
    case declaringEntity(column: String, valuesIn: [String])
    /// An integer with an index is assumed to be a key. In old stores, attributes can also have an index.
    case keyByIndex(column: String)
    case destination(column: String, Ground)
    /// A to-many that was added as the inverse of the to-one `of`, because most relationships have an inverse. Its name
    /// is a guess.
    case toManySide(of: String)
    /// Two to-one relationships are assumed to be inverses, because the keys of `agreeing` rows refer to each other. If
    /// `agreeing` is 0, only the names match.
    case oneToOne(agreeing: Int)
    /// A to-many without an inverse, whose destination can be one of several entities in a hierarchy.
    case members(column: String)
  }

  /// The evidence for the destination of a to-one.
  package enum Ground: Hashable, Sendable {
    /// The entity is the only candidate that has a row for each checked key.
    case keys(count: Int)
    /// Only the names of the relationship and the entity are similar.
    case name
    /// The keys match several entities, one of which has a similar name.
    case keysAndName(count: Int, entity: String)
    /// The keys match several entities, none of which has a similar name.
    case keysAmongSeveral(count: Int)
    /// There is only one entity.
    case onlyEntity
    /// There is no evidence.
    case nothing
  }
}

/// A part of a store that the inferred model can't represent, so that requests don't include it.
package struct UnexplainedPart: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The name can't be the name of an entity in a model.
    case unusableName
    /// Another entity has the same name.
    case duplicateName
    /// The table of the entity's root is missing, or can't contain rows of the entity.
    case noTable(String)
    /// The store contains more entities than are read.
    case tooManyEntities
    /// The entity has more ancestors than are read.
    case tooDeep
    /// A name that Core Data doesn't use for columns or tables.
    case unknownForm
    /// The number in the name isn't the number of an entity.
    case unknownEntity(Int64)
    /// Another property of the entity, an ancestor or a subentity has the name.
    case nameInUse
  }

  /// A `Z_PRIMARYKEY` row, a table, or `TABLE.COLUMN`.
  package var name: String
  package var reason: Reason
}

extension Guess.Ground {
  /// Whether keys in rows were compared.
  var hasKeys: Bool {
    switch self {
    case .keys, .keysAndName, .keysAmongSeveral: true
    case .name, .onlyEntity, .nothing: false
    }
  }
}

extension Guess {
  /// The guess as a sentence without its full stop, for a comment or a note.
  package var text: String {
    switch kind {
    case .unsaid:
      "a store's tables don't contain optionality, defaults, validation, delete rules, transient properties, "
        + "fetched properties or fetch-request templates"
    case .renamedEntity(let old):
      "the store's list of entities still contains the old name '\(old)'"
    case .maybeAbstract: "no row belongs to this entity itself, so it may be abstract"
    case .spelling(let column):
      "the spelling is unknown: the store contains only the upper-case name \(column)"
    case .type(let column, let types): "\(column) may also be \(Self.list(types))"
    case .typeByValues(let column, let types):
      "the type was inferred from the values of \(column); it may also be \(Self.list(types))"
    case .foreignType(let column, let declared):
      "\(column) is declared as '\(declared)', which Core Data never does"
    case .externalStorage: "each value begins with the mark of external storage"
    case .maybeExternalStorage:
      "each value begins with 01, which may be the mark of external storage or a byte of the value"
    case .derived: "triggers update it; the expression isn't read from them"
    case .declaringEntity(let column, let entities): Self.holders(of: column, entities)
    case .keyByIndex(let column):
      """
      \(column) is treated as a key only because it has an index; in old stores, integer attributes \
      can also have an index
      """
    case .destination(let column, let ground): ground.text(of: column)
    case .toManySide(let toOne):
      "the store doesn't contain the inverse of '\(toOne)'; its name is a guess"
    case .oneToOne(1):
      "both relationships are to-one and refer to each other in the only row that was checked"
    case .oneToOne(0): "both relationships are to-one and named after the other's entity"
    case .oneToOne(let count):
      "both relationships are to-one and refer to each other in all \(count) rows that were checked"
    case .members(let column):
      "the destination may be a subentity, because \(column) is in the table of a whole hierarchy"
    }
  }

  private static func list(_ types: [AttributeType]) -> String {
    let names = types.map(\.name)
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func holders(of column: String, _ entities: [String]) -> String {
    guard !entities.isEmpty else {
      return "the entity that declares \(column) is unknown, because no values were found in it"
    }
    let names = entities.map { "'\($0)'" }.joined(separator: ", ")
    return "the entity that declares \(column) is unknown: rows of \(names) have values"
  }
}

extension Guess.Ground {
  fileprivate func text(of column: String) -> String {
    switch self {
    case .keys(let count):
      "the destination: \(Self.keys(count, of: column)) only in this entity"
    case .name: "the destination: the entity's name is similar to \(column)"
    case .keysAndName(let count, let entity):
      "the destination: \(Self.keys(count, of: column)) in '\(entity)' and in other entities, and the name "
        + "'\(entity)' fits best"
    case .keysAmongSeveral(let count):
      "the destination: \(Self.keys(count, of: column)) in this entity and in others"
    case .onlyEntity: "the destination: it is the only entity"
    case .nothing: "the destination of \(column) is unknown"
    }
  }

  private static func keys(_ count: Int, of column: String) -> String {
    count == 1 ? "the key in \(column) exists" : "the \(count) keys in \(column) exist"
  }
}

extension UnexplainedPart {
  package var text: String {
    switch reason {
    case .unusableName: "\(name): not a name that a model can have"
    case .duplicateName: "\(name): another entity has the name"
    case .noTable(let table): "\(name): no table \(table) can contain its rows"
    case .tooManyEntities: "\(name): the store contains more entities than storetool reads"
    case .tooDeep: "\(name): it has more ancestors than storetool reads"
    case .unknownForm: "\(name): not a name that Core Data uses"
    case .unknownEntity(let number): "\(name): no entity has the number \(number)"
    case .nameInUse: "\(name): another property has the name"
    }
  }
}
