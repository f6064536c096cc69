import StoreModel

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
