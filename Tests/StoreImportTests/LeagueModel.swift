import SampleData
import StoreModel
import StoreTestSupport

@testable import SQLiteAccess
@testable import StoreCore
@testable import StoreImport
@testable import StoreLayout

/// A small store as values, with a slow and simple implementation of imports by key.
struct LeagueModel: Equatable {
  /// A row by its root entity and key. Players from 6 on are keepers.
  struct Row: Hashable, Comparable {
    var entity: String
    var key: String

    var kind: String { entity == "Player" && key >= "6" ? "Keeper" : entity }

    static func < (one: Row, other: Row) -> Bool {
      (one.entity, one.key) < (other.entity, other.key)
    }
  }

  /// The destination, and whether the relationship is to-many.
  static let relationships: [String: (String, Bool)] = [
    "Team.players": ("Player", true), "Player.team": ("Team", false),
    "Team.fans": ("City", true), "City.likes": ("Team", true),
    "Team.badge": ("Badge", false), "Badge.team": ("Team", false),
    "Player.home": ("City", false), "City.shops": ("Badge", true),
  ]

  /// Rows in the order of their creation, with their notes.
  var order: [Row] = []
  var notes: [Row: String?] = [:]
  /// The ordered players by team.
  var players: [Row: [Row]] = [:]
  /// The ordered teams that each city likes. The other side is `Team.fans`.
  var likes: [Row: [Row]] = [:]
  var badge: [Row: Row] = [:]
  var home: [Row: Row] = [:]
  /// A to-many relationship without an inverse, whose hidden key is in the table of badges.
  var shops: [Row: Set<Row>] = [:]

  static let model = DataModel(
    name: "League",
    entities: [
      entity(
        "Team",
        [
          SampleModels.toMany("players", "Player", inverse: "team", ordered: true),
          SampleModels.toMany("fans", "City", inverse: "likes"),
          RelationshipDescription(
            name: "badge", destination: "Badge", inverse: "team", isOptional: true),
        ]),
      entity(
        "Player",
        [
          RelationshipDescription(
            name: "team", destination: "Team", inverse: "players", isOptional: true),
          RelationshipDescription(name: "home", destination: "City", isOptional: true),
        ]),
      EntityDescription(name: "Keeper", parent: "Player"),
      entity(
        "City",
        [
          SampleModels.toMany("likes", "Team", inverse: "fans", ordered: true),
          SampleModels.toMany("shops", "Badge"),
        ]),
      entity(
        "Badge",
        [
          RelationshipDescription(
            name: "team", destination: "Team", inverse: "badge", isOptional: true)
        ]),
    ])

  private static func entity(_ name: String, _ relationships: [RelationshipDescription])
    -> EntityDescription
  {
    EntityDescription(
      name: name,
      attributes: ["key", "note"].map {
        AttributeDescription(name: $0, type: .string, isOptional: true)
      },
      relationships: relationships, uniquenessConstraints: [["key"]])
  }

  // MARK: Importing

  mutating func apply(_ run: ImportRun) {
    let old = self
    for object in run.objects {
      if notes[object.row] == nil {
        order.append(object.row)
        notes[object.row] = .some(nil)
      }
      if let note = object.note { notes[object.row] = .some(note) }
    }
    setToOnes(of: run, old)
    setLists(of: run, old)
  }

  /// Returns the relationships of the objects, merged for each row: lists in which each member occurs once.
  private static func given(
    _ relationship: String, _ entity: String, in run: ImportRun, isToMany: Bool
  ) -> [(owner: Row, targets: [(row: Row, origin: Int)])] {
    var owners: [Row] = []
    var merged: [Row: [(row: Row, origin: Int)]] = [:]
    for (origin, object) in run.objects.enumerated() where object.row.entity == entity {
      for link in object.links where link.relationship == relationship {
        if merged[object.row] == nil { owners.append(object.row) }
        var targets = isToMany ? merged[object.row] ?? [] : []
        for target in link.targets where !targets.contains(where: { $0.row == target }) {
          targets.append((target, origin))
        }
        merged[object.row] = targets
      }
    }
    return owners.map { ($0, merged[$0] ?? []) }
  }

  /// If several owners claim a row, the last one receives it. An owner that already has it loses it.
  private static func settled(
    _ given: [(owner: Row, targets: [(row: Row, origin: Int)])], has: (Row, Row) -> Bool
  ) -> [(owner: Row, targets: [Row])] {
    var claims: [Row: [(owner: Row, origin: Int)]] = [:]
    for (owner, targets) in given {
      for target in targets { claims[target.row, default: []].append((owner, target.origin)) }
    }
    return given.map { owner, targets in
      (
        owner,
        targets.map(\.row).filter { target in
          let all = claims[target] ?? []
          guard all.count > 1 else { return true }
          let new = all.filter { !has($0.owner, target) }
          return new.max { $0.origin < $1.origin }?.owner == owner
        }
      )
    }
  }

  private mutating func setToOnes(of run: ImportRun, _ old: LeagueModel) {
    for (player, targets) in Self.given("home", "Player", in: run, isToMany: false) {
      home[player] = targets.first?.row
    }
    let badges = Self.given("badge", "Team", in: run, isToMany: false)
    let settled = Self.settled(badges) { old.badge[$0] == $1 }
    for (team, _) in settled { badge[team] = nil }
    for (team, targets) in settled {
      guard let target = targets.first else { continue }
      badge = badge.filter { $0.value != target }
      badge[team] = target
    }
    let teams = Self.given("team", "Badge", in: run, isToMany: false)
    let owners = Self.settled(teams) { old.badge[$1] == $0 }
    for (row, _) in owners { badge = badge.filter { $0.value != row } }
    for (row, targets) in owners { if let team = targets.first { badge[team] = row } }
  }

  private mutating func setLists(of run: ImportRun, _ old: LeagueModel) {
    // From the side of the members: a player leaves its team, and is the last member of the new team. New members are
    // sorted by key.
    var arrivals: [Row: [Row]] = [:]
    for (player, targets) in Self.given("team", "Player", in: run, isToMany: false) {
      let team = targets.first?.row
      guard old.team(of: player) != team else { continue }
      for key in players.keys { players[key]?.removeAll { $0 == player } }
      if let team { arrivals[team, default: []].append(player) }
    }
    for (team, new) in arrivals {
      players[team, default: []] += new.sorted { position($0) < position($1) }
    }
    let lists = Self.settled(
      Self.given("players", "Team", in: run, isToMany: true)
    ) { old.players[$0]?.contains($1) == true }
    let isNew = { (row: Row) in old.notes[row] == nil }
    for (team, list) in lists where run.members == .replace || isNew(team) {
      players[team]?.removeAll { !list.contains($0) }
    }
    for (team, list) in lists {
      for member in list where old.players[team]?.contains(member) != true {
        for key in players.keys { players[key]?.removeAll { $0 == member } }
        players[team, default: []].append(member)
      }
    }
    for (team, list) in lists where run.members == .replace || isNew(team) {
      let others = (players[team] ?? []).filter { !list.contains($0) }
      players[team] = list.filter { players[team]?.contains($0) == true } + others
    }
    setLikes(of: run, isNew)
    setShops(of: run, old, isNew)
    clean()
  }

  private mutating func setLikes(of run: ImportRun, _ isNew: (Row) -> Bool) {
    for (city, targets) in Self.given("likes", "City", in: run, isToMany: true) {
      let list = targets.map(\.row)
      let now = likes[city] ?? []
      likes[city] =
        run.members == .replace || isNew(city)
        ? list : now + list.filter { !now.contains($0) }
    }
    for (team, targets) in Self.given("fans", "Team", in: run, isToMany: true) {
      let list = targets.map(\.row)
      if run.members == .replace {
        for city in likes.keys where !list.contains(city) { likes[city]?.removeAll { $0 == team } }
      }
      for city in list where likes[city]?.contains(team) != true {
        likes[city, default: []].append(team)
      }
    }
  }

  private mutating func setShops(of run: ImportRun, _ old: LeagueModel, _ isNew: (Row) -> Bool) {
    let lists = Self.settled(
      Self.given("shops", "City", in: run, isToMany: true)
    ) { old.shops[$0]?.contains($1) == true }
    for (city, list) in lists where run.members == .replace && !isNew(city) {
      shops[city] = shops[city]?.intersection(list)
    }
    for (city, list) in lists {
      for badge in list where old.shops[city]?.contains(badge) != true {
        for key in shops.keys { shops[key]?.remove(badge) }
        shops[city, default: []].insert(badge)
      }
    }
  }

  private mutating func clean() {
    players = players.filter { !$0.value.isEmpty }
    likes = likes.filter { !$0.value.isEmpty }
    shops = shops.filter { !$0.value.isEmpty }
  }

  func team(of player: Row) -> Row? { players.first { $0.value.contains(player) }?.key }

  private func position(_ row: Row) -> Int { order.firstIndex(of: row) ?? 0 }

  // MARK: Reading

  /// Returns the rows of a store with their names, such as `Keeper 6`.
  static func rowNames(_ made: GraphStore) throws -> [Row: String] {
    var names: [Row: String] = [:]
    for entity in ["Team", "Player", "City", "Badge"] {
      guard let place = made.layout.entity(named: entity) else { continue }
      for row in try made.store.read({
        try $0.rows("SELECT Z_PK, Z_ENT, ZKEY FROM \(name: place.table)")
      }) {
        let kind = made.layout.entity(numbered: row[1].integer ?? 0)?.name ?? "?"
        names[Row(entity: entity, key: row[2].text ?? "")] = "\(kind) \(row[0].integer ?? 0)"
      }
    }
    return names
  }

  init() {}

  init(reading made: GraphStore) throws {
    var keyed: [String: Row] = [:]
    func row(_ entity: String, _ key: SQLiteValue) -> Row? {
      key.integer.flatMap { keyed["\(entity) \($0)"] }
    }
    for entity in ["Badge", "City", "Player", "Team"] {
      guard let place = made.layout.entity(named: entity) else { continue }
      for found in try made.store.read({
        try $0.rows("SELECT Z_PK, ZKEY, ZNOTE FROM \(name: place.table) ORDER BY 1")
      }) {
        let row = Row(entity: entity, key: found[1].text ?? "")
        keyed["\(entity) \(found[0].integer ?? 0)"] = row
        order.append(row)
        notes[row] = .some(found[2].text)
      }
    }
    let layout = made.layout
    try made.store.read { connection in
      for found in try connection.rows(
        "SELECT Z_PK, ZTEAM, ZHOME FROM ZPLAYER ORDER BY Z_FOK_TEAM, Z_PK")
      {
        guard let player = row("Player", found[0]) else { continue }
        if let team = row("Team", found[1]) { players[team, default: []].append(player) }
        home[player] = row("City", found[2])
      }
      for found in try connection.rows("SELECT Z_PK, ZBADGE FROM ZTEAM") {
        if let team = row("Team", found[0]) { badge[team] = row("Badge", found[1]) }
      }
      guard case .column(let key)? = layout.entity(named: "City")?.toMany["shops"],
        case .joinTable(let join)? = layout.entity(named: "City")?.toMany["likes"],
        let place = join.orderColumn
      else { return }
      var back: [Row: Row] = [:]
      for found in try connection.rows("SELECT Z_PK, \(name: key.column), ZTEAM FROM ZBADGE") {
        guard let shop = row("Badge", found[0]) else { continue }
        if let city = row("City", found[1]) { shops[city, default: []].insert(shop) }
        if let team = row("Team", found[2]) { back[team] = shop }
      }
      // A one-to-one relationship whose sides disagree isn't equal to any model.
      if back != badge { badge = [:] }
      for found in try connection.rows(
        """
        SELECT \(name: join.sourceColumn), \(name: join.destinationColumn) \
        FROM \(name: join.table) ORDER BY \(name: place)
        """)
      {
        if let city = row("City", found[0]), let team = row("Team", found[1]) {
          likes[city, default: []].append(team)
        }
      }
    }
  }

  static func == (one: LeagueModel, other: LeagueModel) -> Bool {
    one.notes == other.notes && one.players == other.players && one.likes == other.likes
      && one.badge == other.badge && one.home == other.home && one.shops == other.shops
  }

  /// Compares with another model. Teams that a city liked before must keep their order. New teams may follow in any
  /// order.
  func isSame(as other: LeagueModel, besideLikesAfter before: LeagueModel) -> Bool {
    guard likes.mapValues(Set.init) == other.likes.mapValues(Set.init) else { return false }
    return likes.allSatisfy { city, teams in
      let old = (before.likes[city] ?? []).filter { teams.contains($0) }
      return Array(teams.prefix(old.count)) == old
    }
  }

  // MARK: Summary

  struct Summary: Equatable {
    var inserted: [String: Int] = [:]
    var updated: [String: Int] = [:]
    var relinked: [String: Int] = [:]
    var unchanged = 0
  }

  /// Returns all relationships of a row, for comparing two states.
  private func links(of row: Row) -> [[Row]] {
    [
      players[row] ?? [], team(of: row).map { [$0] } ?? [], likes[row] ?? [],
      likes.filter { $0.value.contains(row) }.map(\.key).sorted(), badge[row].map { [$0] } ?? [],
      badge.filter { $0.value == row }.map(\.key), home[row].map { [$0] } ?? [],
      shops[row]?.sorted() ?? [],
    ]
  }

  /// Returns the rows of the earlier state that differ now.
  func changedRows(since before: LeagueModel) -> Set<Row> {
    Set(
      before.notes.keys.filter {
        before.notes[$0] != notes[$0] || before.links(of: $0) != links(of: $0)
      })
  }

  func summary(since before: LeagueModel, of run: ImportRun) -> Summary {
    var summary = Summary()
    let changed = changedRows(since: before)
    for row in notes.keys {
      if before.notes[row] == nil {
        summary.inserted[row.kind, default: 0] += 1
      } else if before.notes[row] != notes[row] {
        summary.updated[row.kind, default: 0] += 1
      } else if changed.contains(row) {
        summary.relinked[row.kind, default: 0] += 1
      } else if run.objects.contains(where: { $0.row == row }) {
        summary.unchanged += 1
      }
    }
    return summary
  }
}

extension LeagueModel.Summary {
  init(_ outcome: GraphImport.Result) {
    inserted = outcome.inserted
    updated = outcome.updated
    relinked = outcome.relinked
    unchanged = outcome.unchanged
  }
}
