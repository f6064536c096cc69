import SQLiteAccess
import StoreModel

extension InferenceDraft {
  /// Finds the destinations of the keys. Columns that aren't keys become attributes.
  mutating func readKeys() throws(DatabaseError) {
    var refuted: [(table: Int, column: String)] = []
    var places: [Int] = []
    for (index, table) in tables.enumerated() {
      let names = Set(table.keys.map(\.name) + table.attributes.map(\.name))
      for key in table.keys {
        guard let owner = owner(of: key.column, in: table.table)?.entity else { continue }
        keys.append(
          KeyDraft(
            table: table.table, column: key.column, name: key.name.withoutCollision(among: names),
            spelling: labels.spelling(of: key.name, in: table.table).name,
            isOrdered: key.isOrdered, namedDestination: key.destination,
            isCertain: key.isCertain, owner: owner))
        places.append(index)
      }
    }
    let joined = joins.flatMap { [$0.forth.entity, $0.back?.entity].compactMap { $0 } }
    let finder = DestinationFinder(forest, evidence)
    for index in try finder.find(for: &keys, joined: joined).sorted(by: >) {
      refuted.append((places[index], keys[index].column))
      keys.remove(at: index)
    }
    for (table, column) in refuted { tables[table].makeAttribute(ofKey: column) }
    try InverseFinder(forest: forest, evidence: evidence).pair(&keys)
  }

  mutating func addToOnes() {
    var claimed: [Bool] = []
    for key in keys {
      claimed.append(claim(key.spelling, for: key.owner))
      if claimed.last == false { leaveOut("\(key.table).\(key.column)", .nameInUse) }
    }
    for index in keys.indices where claimed[index] {
      let key = keys[index]
      guard let destination = key.destination else { continue }
      let partner = key.partner.flatMap { claimed[$0] ? keys[$0].spelling : nil }
      add(key, to: destination, inverse: partner)
    }
  }

  private mutating func add(_ key: KeyDraft, to destination: Int64, inverse: String?) {
    let part = part(key.spelling, of: key.owner)
    note(key, part)
    var toOne = RelationshipDescription(
      name: key.spelling, destination: name(destination), inverse: inverse, isOptional: true)
    if inverse == nil {
      let back = madeUpName(backName(of: key), for: destination)
      guess(self.part(back, of: destination), .toManySide(of: "\(name(key.owner)).\(key.spelling)"))
      relationships[destination, default: []].append(
        RelationshipDescription(
          name: back, destination: name(key.owner), inverse: key.spelling,
          cardinality: .toMany(ordered: key.isOrdered), isOptional: true))
      toOne.inverse = back
    } else {
      guess(part, .oneToOne(agreeing: key.agreeing))
    }
    relationships[key.owner, default: []].append(toOne)
    properties[key.table, default: [:]][key.column] = (key.spelling, key.owner)
  }

  private mutating func note(_ key: KeyDraft, _ part: ModelPart) {
    let column = key.column
    if !labels.spelling(of: key.name, in: key.table).isCertain {
      guess(part, .spelling(column: column))
    }
    if let owner = owner(of: column, in: key.table), !owner.isCertain {
      guessOwner(of: column, part, owner.holders)
    }
    if let ground = key.ground { guess(part, .destination(column: column, ground)) }
    if !key.isCertain, key.ground?.hasKeys != true { guess(part, .keyByIndex(column: column)) }
  }

  /// Returns a name for the inverse, which the store doesn't contain: `messages` or, if there are several relationships
  /// between the two entities, `messagesAsSender`.
  private func backName(of key: KeyDraft) -> String {
    let members = name(key.owner).lowerCamelCase.plural
    let alike = keys.filter {
      $0.owner == key.owner && $0.destination == key.destination && $0.partner == nil
    }
    return alike.count > 1 ? "\(members)As\(key.spelling.capitalizedFirst)" : members
  }

  mutating func addHiddenKeys() {
    for table in tables {
      for key in table.hiddenKeys {
        let place = "\(table.table).\(key.column)"
        guard forest[key.owner] != nil else {
          leaveOut(place, .unknownEntity(key.owner))
          continue
        }
        let spelling = labels.spelling(of: key.name, in: forest.table(of: key.owner)).name
        guard spelling.isIdentifier, let members = owner(of: key.column, in: table.table)?.entity,
          claim(spelling, for: key.owner)
        else {
          leaveOut(place, .nameInUse)
          continue
        }
        let part = part(spelling, of: key.owner)
        guess(part, .spelling(column: key.column))
        if !forest.isLeaf(forest.root(of: members)) { guess(part, .members(column: key.column)) }
        relationships[key.owner, default: []].append(
          RelationshipDescription(
            name: spelling, destination: name(members),
            cardinality: .toMany(ordered: key.isOrdered), isOptional: true))
      }
    }
  }

  mutating func addJoinTables() {
    for table in joins { add(table) }
  }

  private mutating func add(_ join: JoinTableReading) {
    let sides = [join.forth, join.back].compactMap { $0 }
    if let unknown = sides.first(where: { forest[$0.entity] == nil }) {
      leaveOut(join.table, .unknownEntity(unknown.entity))
      return
    }
    let names = sides.map { side in
      labels.spelling(of: side.name, in: forest.table(of: side.entity)).name
    }
    let areFree =
      names.allSatisfy(\.isIdentifier)
      && zip(sides, names).allSatisfy { !isInUse($1, around: $0.entity) }
    guard areFree, join.back == nil || names[0] != names[1] || sides[0].entity != sides[1].entity
    else {
      leaveOut(join.table, .nameInUse)
      return
    }
    for (index, side) in sides.enumerated() {
      let other = sides.count - 1 - index
      _ = claim(names[index], for: side.entity)
      guess(part(names[index], of: side.entity), .spelling(column: join.table))
      relationships[side.entity, default: []].append(
        RelationshipDescription(
          name: names[index], destination: name(sides[other].entity), inverse: names[other],
          cardinality: .toMany(ordered: side.isOrdered), isOptional: true))
    }
  }
}
