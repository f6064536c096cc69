package import SQLiteAccess
import StoreCore
import StoreDiagnostics
package import StoreLayout
import StoreModel
import StorePredicate

/// The rows to generate: their entities and keys, the generators of their values, and the destinations of their
/// relationships. The values and links are only generated when they are inserted.
package struct SeedPlan {
  let layout: StoreLayout
  let seeding: Seeding
  let entities: [EntitySeed]
  let groups: [UniqueGroup]
  let pairs: [(join: LinkPlanner.JoinColumns, seed: PairSeed)]
  let hidden: [(key: ToManyLayout.ForeignKey, seed: ToOneSeed, members: SeedMembers)]

  /// How often the numbers of rows are adapted before the model is regarded as unsatisfiable.
  private static let patience = 64

  /// - Parameter connection: A connection to the store, which is only read.
  /// - Throws: `SeedError` if the model can't be satisfied, `InsertPlanError` if an entity is unknown or abstract, or
  ///   `DatabaseError`.
  package init(
    _ seeding: Seeding, in layout: StoreLayout, on connection: Connection
  ) throws {
    var counts = seeding.counts ?? layout.model.evenCounts(Seeding.defaultCount)
    for _ in 0..<(seeding.counts == nil ? Self.patience : 0) {
      do {
        try self.init(seeding, counts, in: layout, on: connection)
        return
      } catch let error as SeedError {
        guard error.adapt(&counts, in: layout.model) else { throw error }
      }
    }
    try self.init(seeding, counts, in: layout, on: connection)
  }

  /// Creates a plan for a store that doesn't exist yet.
  ///
  /// - Throws: `SeedError` if the model can't be satisfied, `InsertPlanError` if an entity is unknown or abstract, or
  ///   `DatabaseError`.
  package init(_ seeding: Seeding, newIn layout: StoreLayout) throws {
    self = try Database(uri: ":memory:", path: ":memory:", .writing).write { connection in
      try connection.define(layout)
      return try SeedPlan(seeding, in: layout, on: connection)
    }
  }

  private init(
    _ seeding: Seeding, _ counts: [String: Int], in layout: StoreLayout, on connection: Connection
  ) throws {
    self.layout = layout
    self.seeding = seeding
    let keys = KeyAllocator(connection)
    var plans: [InsertPlan] = []
    var runs: [String: KeyRun] = [:]
    for (name, count) in counts where count == 0 { _ = try InsertPlan(entity: name, in: layout) }
    let wanted = try counts.filter { $0.value > 0 }
      .map { (try InsertPlan(entity: $0.key, in: layout), $0.value) }
      .sorted { $0.0.entityNumber < $1.0.entityNumber }
    for (plan, count) in wanted {
      let run = KeyRun(
        entity: plan.entityNumber, first: try keys.lastKey(for: plan) + 1, count: count,
        gap: seeding.style == .extreme ? 3 : nil)
      keys.take(upTo: run.last, for: plan)
      plans.append(plan)
      runs[plan.entity] = run
    }
    let unique = try UniquePlanner(
      layout, seeding, counts: counts, runs: runs, on: connection)
    let links = try LinkPlanner(
      layout, seeding, runs: runs, distinct: unique.distinct, on: connection)
    groups = unique.groups
    (pairs, hidden) = (links.pairs, links.hidden)
    entities = try plans.compactMap { plan in
      try runs[plan.entity].map {
        try EntitySeed(
          plan, $0, in: layout, seeding, unique: unique.places, groups: unique.groups,
          toOnes: links.toOnes)
      }
    }
  }

  /// The number of rows of all entities.
  package var rowCount: Int { entities.reduce(0) { $0 + $1.run.count } }

  /// A summary for the user: each entity with its number of rows and the range of their keys.
  package var rows: [(entity: String, count: Int, keys: ClosedRange<Int64>)] {
    entities.map { ($0.plan.entity, $0.run.count, $0.run.first...max($0.run.first, $0.run.last)) }
  }
}

/// The rows of one entity.
struct EntitySeed {
  let plan: InsertPlan
  let run: KeyRun
  let attributes: [AttributeSeed]
  let toOnes: [Link]

  /// The field of a to-one relationship, and its destinations. `owned` is nil if no row has a destination, or if the
  /// other side of a one-to-one relationship chooses the destinations.
  struct Link {
    let field: Int
    let cell: Int
    let entityCell: Int?
    let owned: LinkPlanner.Owned?
  }

  /// - Throws: `SeedError.noValue`
  init(
    _ plan: InsertPlan, _ run: KeyRun, in layout: StoreLayout, _ seeding: Seeding,
    unique: [SeededProperty: Int], groups: [UniqueGroup],
    toOnes: [SeededProperty: LinkPlanner.Owned]
  ) throws(SeedError) {
    self.plan = plan
    self.run = run
    let stored =
      layout.model.entity(named: plan.entity)
      .map(layout.model.storedAttributes(of:)) ?? []
    var attributes: [AttributeSeed] = []
    var links: [Link] = []
    for (index, field) in plan.fields.enumerated() {
      switch field.content {
      case .attribute:
        guard let attribute = stored.first(where: { $0.name == field.name }) else { continue }
        let group = unique[SeededProperty(entity: plan.entity, property: field.name)]
        let carrier = group.flatMap { number in
          groups[number].carriers.firstIndex { $0.property == field.name }
            .map { AttributeSeed.Carrier(group: number, index: $0) }
        }
        attributes.append(
          try AttributeSeed(
            attribute, field: index, of: plan.entity, seeding, carrier: carrier))
      case .toOne(let toOne):
        links.append(
          Link(
            field: index, cell: field.cell, entityCell: toOne.entityCell,
            owned: toOnes[SeededProperty(entity: plan.entity, property: field.name)]))
      }
    }
    (self.attributes, self.toOnes) = (attributes, links)
  }
}

extension SeedError {
  /// Adapts the numbers of rows: more of an entity that others require, or fewer of an entity with too few values.
  /// Returns false if other numbers can't help.
  fileprivate func adapt(_ counts: inout [String: Int], in model: DataModel) -> Bool {
    /// Prevents endless growth if two entities require more and more rows of each other.
    let limit = 1_000_000
    switch self {
    case .tooFewValues(let name, _, let possible, let wanted):
      guard possible < UInt64(wanted), let entity = model.entity(named: name) else { return false }
      var room = Int(possible)
      for kind in model.subtree(of: entity) where !kind.isAbstract {
        let count = min(room, counts[kind.name] ?? 0)
        counts[kind.name] = count
        room -= count
      }
      return true
    case .tooFewRows(_, let name, let needed, let have):
      guard needed > have, needed < limit, let entity = model.entity(named: name),
        let kind = model.subtree(of: entity).first(where: { !$0.isAbstract })
      else { return false }
      counts[kind.name, default: 0] += needed - have
      return true
    case .noValue, .noDestination, .unsatisfiableCounts: return false
    }
  }
}

/// The generator of the values of an attribute.
struct AttributeSeed: Sendable {
  /// The index of a `UniqueGroup`, and the index of the attribute's value in the values of the group.
  struct Carrier: Hashable, Sendable {
    var group: Int
    var index: Int
  }

  private enum Source: Sendable {
    case plausible(PlausibleValue)
    case extreme(AttributeDescription, as: AttributeType?)
    case none
  }

  /// The index of the field in the insert plan.
  let field: Int
  let carrier: Carrier?
  private let source: Source
  private let isOptional: Bool
  /// Whether even a required attribute is NULL if its group has no more unique values.
  private let isLenient: Bool
  /// On average, one in `nullIn` values is NULL; none if it is nil.
  private let nullIn: Int?
  /// On average, one in `defaultIn` of the other values is the default; none if it is nil.
  private let defaultIn: Int?
  /// The type that unique texts must be convertible to.
  private let textType: AttributeType?

  /// - Throws: `SeedError.noValue`
  init(
    _ attribute: AttributeDescription, field: Int, of entity: String, _ seeding: Seeding,
    carrier: Carrier?
  ) throws(SeedError) {
    self.field = field
    self.carrier = carrier
    let demand = seeding.demands[entity, attribute.name]
    isOptional = attribute.isOptional && !demand.isRequired
    isLenient = seeding.style == .extreme
    let hasDefault = attribute.defaultValue != nil
    guard seeding.style == .plausible else {
      source = .extreme(attribute, as: demand.type)
      (nullIn, defaultIn) = (isOptional ? 4 : nil, nil)
      textType = attribute.type == .string ? demand.type : nil
      return
    }
    textType = nil
    let rules = TextRules(attribute)
    let made = PlausibleValue(attribute, of: entity, rules: rules)
    let isOpaque = attribute.type == .transformable && isOptional
    guard carrier != nil || made.isPossible && !isOpaque else {
      guard isOptional || hasDefault else {
        throw .noValue(entity: entity, attribute: attribute.name, rules.fault)
      }
      source = .none
      (nullIn, defaultIn) = (hasDefault ? nil : 1, hasDefault ? 1 : nil)
      return
    }
    source = .plausible(made)
    // A flag often has its default value, other attributes less often.
    defaultIn = hasDefault ? (attribute.type == .boolean ? 2 : 4) : nil
    nullIn = isOptional ? 8 : nil
  }

  /// Returns the value for a row, or nil for the default value of the model.
  ///
  /// - Parameter unique: The values of each group for this row, by the group's index. Nil for a group that the entity
  ///   doesn't use or that doesn't have any more values.
  func next(_ unique: [[DataValue]?], _ random: inout SeedRandom) -> DataValue? {
    if let carrier {
      if let values = unique[carrier.group] { return converted(values[carrier.index]) }
      if isOptional || isLenient { return .null }
    }
    if let nullIn, random.oneIn(nullIn) { return .null }
    if let defaultIn, random.oneIn(defaultIn) { return nil }
    switch source {
    case .plausible(let made): return made.next(&random)
    case .extreme(let attribute, let type):
      return ExtremeValue.random(attribute, as: type, using: &random)
    case .none: return nil
    }
  }

  private func converted(_ value: DataValue) -> DataValue {
    guard let textType, case .string(let text) = value, let number = TextKind.number(in: text)
    else { return value }
    return .string(ExtremeValue.text(of: Int64(number), as: textType))
  }
}
