import SQLiteAccess
import StoreLayout
import StoreModel

/// Chooses the destinations of the relationships of new rows. The destinations are new rows, except that a required
/// to-one relationship leads to existing rows if its destination has no new rows.
struct LinkPlanner {
  private let layout: StoreLayout
  private let seeding: Seeding
  private let runs: [String: KeyRun]
  /// The names of the to-one relationships whose destinations must be unique.
  private let distinct: Set<String>
  private let connection: Connection
  private var random: SeedRandom

  /// The destinations of to-one relationships, by entity and name.
  private(set) var toOnes: [SeededProperty: Owned] = [:]
  /// The many-to-many relationships.
  private(set) var pairs: [(join: JoinColumns, seed: PairSeed)] = []
  /// The to-many relationships without an inverse. A column of the members contains the key of their owner.
  private(set) var hidden: [(key: ToManyLayout.ForeignKey, seed: ToOneSeed, members: SeedMembers)] =
    []

  /// The destinations of a relationship for the rows of one entity. `start` is the number of the entity's first row,
  /// because the rows of all entities that inherit the relationship are numbered together.
  struct Owned: Hashable {
    var seed: ToOneSeed
    var start: Int
  }

  struct JoinColumns: Hashable {
    var join: ToManyLayout.Join
    /// The column with the position of an owner among the owners of a member; nil if the inverse isn't ordered.
    var backOrder: String?
  }

  /// - Parameter runs: The new rows by entity.
  /// - Throws: `SeedError`, `DatabaseError`
  init(
    _ layout: StoreLayout, _ seeding: Seeding, runs: [String: KeyRun], distinct: Set<String>,
    on connection: Connection
  ) throws {
    self.layout = layout
    self.seeding = seeding
    self.runs = runs
    self.distinct = distinct
    self.connection = connection
    random = SeedRandom(seed: seeding.seed, name: "relationships")
    for place in layout.entities {
      guard let entity = layout.model.entity(named: place.name) else { continue }
      for relationship in entity.relationships where !relationship.isTransient {
        try add(relationship, of: entity, place)
      }
    }
  }

  private func members(of entity: EntityLayout?) -> SeedMembers {
    let kinds = (entity?.subtree ?? []).compactMap(layout.entity(numbered:))
    return SeedMembers(kinds.compactMap { runs[$0.name] })
  }

  private mutating func add(
    _ relationship: RelationshipDescription, of entity: EntityDescription, _ place: EntityLayout
  ) throws {
    let inverse = layout.model.sharedInverse(of: relationship, declaredBy: entity)
    let owners = members(of: place)
    let members = members(of: layout.entity(named: relationship.destination))
    let link = Link(
      relationship: relationship, entity: entity.name, inverse: inverse?.0, owners: owners,
      members: members)
    if let toOne = place.toOne[relationship.name] {
      let isFirst = inverse.map {
        ($0.declaredBy.name, $0.0.name) >= (entity.name, relationship.name)
      }
      // In a one-to-one relationship, the side whose entity and name sort first chooses the destinations, unless that
      // side has no new rows.
      if inverse?.0.isToMany == false, isFirst == false, members.count > 0 { return }
      try addToOne(link, toOne, place)
    } else if case .joinTable(let join)? = place.toMany[relationship.name] {
      guard !pairs.contains(where: { $0.join.join.table == join.table }) else { return }
      guard let choice = try pairing(link) else { return }
      pairs.append(
        (
          JoinColumns(join: join, backOrder: backOrder(of: join, link)),
          PairSeed(owners: owners, members: members, choice: choice)
        ))
    } else if case .column(let key)? = place.toMany[relationship.name] {
      guard inverse == nil else {
        // The to-one relationship of the members creates the links.
        if members.count == 0 {
          try requireNothing(CountRule(relationship), entity.name, relationship, owners.count)
        }
        return
      }
      guard let choice = try sharing(link.reversed, optional: true) else { return }
      hidden.append((key, ToOneSeed(members: owners, choice: choice), members))
    }
  }

  /// A relationship and the rows on both of its sides.
  private struct Link {
    let relationship: RelationshipDescription
    let entity: String
    let inverse: RelationshipDescription?
    let owners: SeedMembers
    var members: SeedMembers
    /// Whether the destinations are new rows. Existing rows already satisfy the rules of the inverse relationship.
    var areMembersNew = true

    var name: String { "\(entity).\(relationship.name)" }
    var inverseName: String { "\(relationship.destination).\(inverse?.name ?? "")" }

    var isOwnInverse: Bool {
      relationship.inverse == relationship.name && relationship.destination == entity
    }

    /// The to-one relationship that would be the inverse of this to-many relationship, which doesn't have one.
    var reversed: Link {
      Link(
        relationship: RelationshipDescription(
          name: relationship.name, destination: entity, isOptional: true),
        entity: relationship.destination, inverse: relationship, owners: members, members: owners)
    }
  }

  private var isStrict: Bool { seeding.style == .plausible }

  // MARK: To-one

  private mutating func addToOne(
    _ link: Link, _ toOne: ToOneColumn, _ place: EntityLayout
  ) throws {
    // Entities that inherit the relationship share a choice, so that the destinations are distributed evenly. Entities
    // that require the relationship have another choice than entities that don't.
    var choices: [Bool: ToOneSeed] = [:]
    for number in place.subtree {
      guard let owner = layout.entity(numbered: number), let run = runs[owner.name],
        let start = link.owners.start(of: run.entity)
      else { continue }
      let isDemanded = seeding.demands[owner.name, link.relationship.name].isRequired
      let isOptional = link.relationship.isOptional && !isDemanded
      let known = try choices[isOptional] ?? seed(link, toOne, optional: isOptional)
      guard let seed = known else { continue }
      choices[isOptional] = seed
      let property = SeededProperty(entity: owner.name, property: link.relationship.name)
      toOnes[property] = Owned(seed: seed, start: start)
    }
  }

  /// Returns the destinations of a to-one relationship, or nil if no row has a destination.
  private mutating func seed(
    _ link: Link, _ toOne: ToOneColumn, optional isOptional: Bool
  ) throws -> ToOneSeed? {
    var link = link
    if link.members.count == 0 {
      guard !isOptional else { return nil }
      guard let there = try existing(toOne, link) else {
        guard isStrict else { return nil }
        throw SeedError.noDestination(
          entity: link.entity, relationship: link.relationship.name,
          destination: toOne.destination)
      }
      link.members = there
      link.areMembersNew = false
    }
    let isOneEach =
      link.inverse?.isToMany == false || distinct.contains(link.relationship.name)
    let choice =
      isOneEach
      ? try partnering(link, optional: isOptional) : try sharing(link, optional: isOptional)
    return choice.map { ToOneSeed(members: link.members, choice: $0) }
  }

  /// Chooses destinations that several rows can share.
  private mutating func sharing(_ link: Link, optional isOptional: Bool) throws -> ToOneSeed.Choice?
  {
    let rule = CountRule(link.inverse)
    let (rows, places) = (link.owners.count, link.members.count)
    guard !rule.isNone else { return .any(noneIn: isOptional ? 5 : nil) }
    guard link.areMembersNew else { return .inTurn(Shuffle(places, &random), links: rows) }
    let owners = rule.owners(sharing: rows, of: places)
    guard isStrict || owners > 0 else { return .any(noneIn: isOptional ? 5 : nil) }
    let (least, overflow) = rule.least.multipliedReportingOverflow(by: places)
    if isStrict, !rule.mayBeEmpty, overflow || rows < least {
      throw SeedError.tooFewRows(
        relationship: link.inverseName, entity: link.entity, needed: least, have: rows)
    }
    guard owners > 0 else {
      if isOptional { return nil }
      throw SeedError.tooFewRows(
        relationship: link.inverseName, entity: link.entity, needed: rule.least, have: rows)
    }
    let room = rule.room(of: owners)
    if isStrict, !isOptional, rows > room {
      throw SeedError.tooFewRows(
        relationship: link.name, entity: link.relationship.destination,
        needed: (rows + rule.most - 1) / rule.most, have: places)
    }
    return .inTurn(Shuffle(owners, &random), links: isStrict || isOptional ? min(rows, room) : rows)
  }

  /// Chooses a different destination for each row.
  private mutating func partnering(
    _ link: Link, optional isOptional: Bool
  ) throws -> ToOneSeed.Choice? {
    let (rows, places) = (link.owners.count, link.members.count)
    if link.isOwnInverse { return .mates(needsOne: !isOptional) }
    let isNeeded = link.inverse?.isOptional == false && link.inverse?.isToMany == false
    if link.relationship.destination == link.entity, link.owners == link.members, rows > 1 {
      return .next
    }
    if isStrict, !isOptional, rows > places {
      throw SeedError.tooFewRows(
        relationship: link.name, entity: link.relationship.destination, needed: rows, have: places)
    }
    if isStrict, isNeeded, link.areMembersNew, places > rows {
      throw SeedError.tooFewRows(
        relationship: link.inverseName, entity: link.entity, needed: places, have: rows)
    }
    return .oneEach(
      Shuffle(places, &random), links: min(rows, places),
      noneIn: isOptional && !isNeeded ? 5 : nil)
  }

  /// Returns existing rows of the store, or nil if there are none. For a one-to-one relationship, only rows without a
  /// partner are returned.
  private func existing(_ toOne: ToOneColumn, _ link: Link) throws(DatabaseError) -> SeedMembers? {
    guard let place = layout.entity(named: toOne.destination) else { return nil }
    var free: SQL = ""
    var limit = Self.existingLimit
    if let inverse = link.inverse, !inverse.isToMany, let back = place.toOne[inverse.name] {
      free = " AND \(name: back.column) IS NULL"
      limit = max(limit, link.owners.count)
    }
    var statement = try connection.prepare(
      """
      SELECT \(name: FixedColumn.entity), \(name: FixedColumn.primaryKey) FROM \(name: place.table) \
      WHERE \(name: FixedColumn.entity) IN \(.list(place.subtree))\(free) \
      ORDER BY \(name: FixedColumn.primaryKey) LIMIT \(value: .integer(Int64(limit)))
      """)
    var runs: [KeyRun] = []
    while try statement.step() {
      let (entity, key) = (statement.integer(at: 0), statement.integer(at: 1))
      if let last = runs.last, last.entity == entity, last.last + 1 == key {
        runs[runs.count - 1] = KeyRun(entity: entity, first: last.first, count: last.count + 1)
      } else {
        runs.append(KeyRun(entity: entity, first: key, count: 1))
      }
    }
    return runs.isEmpty ? nil : SeedMembers(runs)
  }

  /// The maximum number of existing rows that new rows are distributed over, unless a one-to-one relationship needs
  /// more.
  private static let existingLimit = 10_000

  // MARK: Many-to-many

  private mutating func pairing(_ link: Link) throws -> PairSeed.Choice? {
    let (rule, back) = (CountRule(link.relationship), CountRule(link.inverse))
    let (rows, places) = (link.owners.count, link.members.count)
    guard rows > 0, places > 0 else {
      try requireNothing(rule, link.entity, link.relationship, rows)
      if let inverse = link.inverse {
        try requireNothing(back, link.relationship.destination, inverse, places)
      }
      return nil
    }
    if link.isOwnInverse, link.owners == link.members { return try ring(rule, link) }
    if let (sizes, owners, members) = Self.sizes(rule, back, rows, places) {
      return .inTurn(Shuffle(members, &random), owners: owners, sizes: sizes)
    }
    guard isStrict, !(rule.mayBeEmpty && back.mayBeEmpty) else { return nil }
    throw SeedError.unsatisfiableCounts(
      relationship: link.name, inverse: link.inverse == nil ? nil : link.inverseName, rows: rows,
      members: places)
  }

  private func requireNothing(
    _ rule: CountRule, _ entity: String, _ relationship: RelationshipDescription, _ rows: Int
  ) throws {
    guard isStrict, rows > 0, !rule.mayBeEmpty, rule.least > 0 else { return }
    throw SeedError.noDestination(
      entity: entity, relationship: relationship.name, destination: relationship.destination)
  }

  /// Returns the range from which each owner's number of members is chosen, so that each member also has a valid number
  /// of owners, and how many owners and members are linked. Returns nil if the rules can't be satisfied.
  private static func sizes(
    _ rule: CountRule, _ back: CountRule, _ rows: Int, _ places: Int
  ) -> (ClosedRange<Int>, owners: Int, members: Int)? {
    func sizes(_ owners: Int, _ members: Int) -> ClosedRange<Int>? {
      guard owners > 0, members > 0 else { return nil }
      let (needed, overflow) = back.least.multipliedReportingOverflow(by: members)
      guard !overflow else { return nil }
      let least = max(rule.least, (needed + owners - 1) / owners)
      let most = min(rule.most, members, back.room(of: members) / owners)
      return least <= most ? least...min(most, max(least + 2, 3)) : nil
    }
    if let all = sizes(rows, places) { return (all, rows, places) }
    // If a relationship may be empty, some rows of its entity remain without links.
    if back.mayBeEmpty {
      let members = min(
        places,
        rows.multipliedReportingOverflow(by: max(1, rule.least)).partialValue / max(1, back.least))
      if let some = sizes(rows, members) { return (some, rows, members) }
    }
    if rule.mayBeEmpty {
      let owners = min(rows, back.room(of: places) / max(1, rule.least))
      if let some = sizes(owners, places) { return (some, owners, places) }
    }
    return nil
  }

  private func ring(_ rule: CountRule, _ link: Link) throws -> PairSeed.Choice? {
    let count = link.members.count
    let least = max(rule.least, rule.mayBeEmpty ? 2 : 1)
    let sizes = rule.least...max(rule.least, min(rule.most, least + 2))
    let found = sizes.first { $0 >= min(least, rule.most) && PairSeed.isRing($0, of: count) }
    if let found { return .ring(size: found) }
    guard isStrict, !rule.mayBeEmpty else { return nil }
    throw SeedError.tooFewRows(
      relationship: link.name, entity: link.entity,
      needed: rule.least + 2 - rule.least % 2, have: count)
  }

  private func backOrder(of join: ToManyLayout.Join, _ link: Link) -> String? {
    guard !link.isOwnInverse, let inverse = link.inverse,
      case .joinTable(let back)? = layout.entity(named: join.destination)?.toMany[inverse.name]
    else { return nil }
    return back.orderColumn
  }
}
