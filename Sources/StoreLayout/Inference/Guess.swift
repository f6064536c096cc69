package import StoreModel

/// Something of an inferred model that the store does not say for certain, and what it rests on.
package struct Guess: Hashable, Sendable {
  /// Nil for what holds for the model as a whole.
  package var part: ModelPart?
  package var kind: Kind

  package init(_ part: ModelPart?, _ kind: Kind) {
    self.part = part
    self.kind = kind
  }

  package enum Kind: Hashable, Sendable {
    /// What tables never say: optional, defaults, validation, transient properties and so on.
    case unsaid
    /// `Z_PRIMARYKEY` has an old name, and the metadata the new one.
    case renamedEntity(old: String)
    /// No row has the entity's number, so it may be abstract.
    case maybeAbstract
    /// Only the upper-case name of a column is left.
    case spelling(column: String)
    /// Other types are declared alike.
    case type(column: String, among: [AttributeType])
    /// What the values look like has decided.
    case typeByValues(column: String, among: [AttributeType])
    /// The declared type is none of Core Data's.
    case foreignType(column: String, declared: String)
    /// The first byte of each value is the mark of external storage.
    case externalStorage
    /// The same, by which alone a byte of the value could be lost: it is read with the rest.
    case maybeExternalStorage
    /// Triggers keep it up to date, by an expression that is not read back.
    case derived
    /// The column is the whole tree's; rows of these entities have values.
    case declaringEntity(column: String, valuesIn: [String])
    /// An integer with an index, which keys have, and in old stores attributes, too.
    case keyByIndex(column: String)
    case destination(column: String, Ground)
    /// Nothing is left of the other side of a to-one, and most have one.
    case toManySide(of: String)
    /// Both are keys that lead to each other.
    case oneToOne(agreeing: Int)
    /// A to-many without inverse, in whose members' tree several entities could be meant.
    case members(column: String)
  }

  /// Why a to-one leads where the model says.
  package enum Ground: Hashable, Sendable {
    /// All keys that were looked at are those of the entity's rows, and no other entity's.
    case keys(count: Int)
    /// The keys fit several entities, of which one has a similar name.
    case name
    case keysAndName(count: Int)
    /// The keys fit several entities.
    case keysAmongSeveral(count: Int)
    /// There is but one entity.
    case onlyEntity
    /// Nothing tells.
    case nothing
  }
}

/// Something of a store that the inferred model has no place for, so that no request sees it.
package struct UnexplainedPart: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The name of an entity that no model can have, or has twice.
    case unusableName
    case duplicateName
    /// There is no table for the entity's root.
    case noTable(String)
    /// More than models have.
    case tooManyEntities
    case tooDeep
    /// A name that Core Data gives no column or table.
    case unknownForm
    /// The number in the name is no entity's.
    case unknownEntity(Int64)
    /// Another property of the entity has the name.
    case nameInUse
  }

  /// `Z_PRIMARYKEY` row, table, or `TABLE.COLUMN`.
  package var name: String
  package var reason: Reason
}

extension Guess.Ground {
  /// Keys in rows have been compared.
  var hasKeys: Bool {
    switch self {
    case .keys, .keysAndName, .keysAmongSeveral: true
    case .name, .onlyEntity, .nothing: false
    }
  }
}

extension Guess {
  /// One sentence without its full stop, for a comment or a note.
  package var text: String {
    switch kind {
    case .unsaid:
      "whether properties are optional, their defaults and validation, delete rules, transient and"
        + " fetched properties and fetch-request templates are not in a store's tables"
    case .renamedEntity(let old): "the store's list of entities still calls it '\(old)'"
    case .maybeAbstract: "no row is of this very entity: it may be abstract"
    case .spelling(let column):
      "the spelling is not known: the store has \(column), in upper case alone"
    case .type(let column, let types): "\(column) may also be \(Self.list(types))"
    case .typeByValues(let column, let types):
      "the values of \(column) look like this; it may also be \(Self.list(types))"
    case .foreignType(let column, let declared):
      "\(column) is declared as '\(declared)', which Core Data never does"
    case .externalStorage: "each value begins with the mark of external storage"
    case .maybeExternalStorage:
      "each value begins with 01, which may be the mark of external storage or a byte of the value"
    case .derived: "triggers keep it up to date; the expression is not read back from them"
    case .declaringEntity(let column, let entities): Self.holders(of: column, entities)
    case .keyByIndex(let column):
      "\(column) is taken for a key by its index alone; an integer that an old model indexes has one, too"
    case .destination(let column, let ground): ground.text(of: column)
    case .toManySide(let toOne):
      "nothing is left of a relationship back from '\(toOne)'; this is the usual one, its name made up"
    case .oneToOne(1):
      "both relationships are to-one and lead to each other in the one row that is there"
    case .oneToOne(0): "both relationships are to-one and named after the other's entity"
    case .oneToOne(let count):
      "both relationships are to-one and lead to each other in all \(count) rows that were looked at"
    case .members(let column): "\(column) may belong to a sub-entity"
    }
  }

  private static func list(_ types: [AttributeType]) -> String {
    let names = types.map(\.name)
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func holders(of column: String, _ entities: [String]) -> String {
    guard !entities.isEmpty else {
      return "which entity of the tree declares \(column) is not known: no row tells"
    }
    let names = entities.map { "'\($0)'" }.joined(separator: ", ")
    return "which entity declares \(column) is not known: rows of \(names) have values"
  }
}

extension Guess.Ground {
  fileprivate func text(of column: String) -> String {
    switch self {
    case .keys(let count):
      "the destination: \(Self.keys(count, of: column)) no other entity"
    case .name: "the destination: the entity's name is like that of \(column)"
    case .keysAndName(let count):
      "the destination: \(Self.keys(count, of: column)) this entity and others, and its name is alike"
    case .keysAmongSeveral(let count):
      "the destination: \(Self.keys(count, of: column)) this entity and others"
    case .onlyEntity: "the destination: there is no other entity"
    case .nothing: "the destination: nothing tells where \(column) leads"
    }
  }

  private static func keys(_ count: Int, of column: String) -> String {
    count == 1 ? "the key in \(column) fits" : "\(count) keys in \(column) fit"
  }
}

extension UnexplainedPart {
  package var text: String {
    switch reason {
    case .unusableName: "\(name): not a name that a model can have"
    case .duplicateName: "\(name): another entity has the name"
    case .noTable(let table): "\(name): there is no table \(table) with rows of entities"
    case .tooManyEntities: "\(name): more entities than are looked at"
    case .tooDeep: "\(name): more ancestors than an entity has"
    case .unknownForm: "\(name): not a name that Core Data gives"
    case .unknownEntity(let number): "\(name): no entity has the number \(number)"
    case .nameInUse: "\(name): another property has the name"
    }
  }
}
