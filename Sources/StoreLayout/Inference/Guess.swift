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
