import StoreCore
import PredicateSQL
import StoreLayout
import StoreModel
import StorePredicate
import SQLiteAccess

/// A to-many relationship of one row (the owner) whose members an edit changes.
struct EditedRelationship {
  let owner: ObjectID
  let ownerPlace: EntityLayout
  let relationship: RelationshipDescription
  let members: ToManyLayout
  let destination: EntityLayout
  /// The inverse relationship: a to-one relationship in the members' column for the owner, or a to-many relationship in
  /// the same join table.
  let inverse: RelationshipDescription?
  /// The join table from the perspective of the members.
  let reversed: ToManyLayout.Join?

  /// - Throws: `StoreError` if the path contains several relationships; `CheckErrors` if the row's entity doesn't have
  ///   the relationship.
  init(_ steps: [RelationshipKey], of owner: ObjectID, in layout: StoreLayout) throws {
    guard steps.count == 1, let name = steps.first?.name else {
      throw StoreError.severalRelationships(steps.map(\.name))
    }
    let entity = try layout.model.requireEntity(named: owner.entity)
    guard let place = layout.entity(named: owner.entity), let members = place.toMany[name],
      let destination = layout.entity(named: members.destination),
      case (.relationship(let relationship), let declaring)? = layout.model.property(
        named: name, of: entity)
    else {
      let known = layout.entity(named: owner.entity)?.toMany.keys.sorted() ?? []
      throw CheckErrors([
        CheckError(.unknownProperty(name, entity: owner.entity, known: known))
      ])
    }
    self.owner = owner
    ownerPlace = place
    self.relationship = relationship
    self.members = members
    self.destination = destination
    inverse = layout.model.sharedInverse(of: relationship, declaredBy: declaring)?.0
    if let inverse, case .joinTable(let join)? = destination.toMany[inverse.name] {
      reversed = join
    } else {
      reversed = nil
    }
  }

  var key: SQL { .number(owner.primaryKey) }

  /// Whether the relationship is its own inverse. Each pair of rows is then stored twice, once per direction.
  var isOwnInverse: Bool {
    if case .joinTable(let join) = members { join == reversed } else { false }
  }

  /// The table that links owners and members, and its columns for the owner and the member.
  var pairs: (table: String, owner: String, member: String) { members.pairs }

  /// A SELECT of the keys of all members.
  var memberKeys: SQL {
    "SELECT \(name: pairs.member) FROM \(name: pairs.table) WHERE \(name: pairs.owner) = \(key)"
  }

  /// Returns the limits for numbers of members that an edit can violate.
  func memberCountRules(in layout: StoreLayout) -> [MemberCountRule] {
    // A join table links the rows of two relationships, which refer to opposite columns of it.
    layout.memberCountRules.filter { rule in
      rule.toMany.pairs.table == pairs.table
        && [pairs.owner, pairs.member].contains(rule.toMany.pairs.owner)
    }
  }
}
