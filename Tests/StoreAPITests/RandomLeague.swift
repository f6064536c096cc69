import SeededRandom
import StoreEngine
import StoreModel
import StorePredicate
import Testing

/// The expected teams by key.
struct RandomLeague: Sendable {
  struct Refused: Error {}

  private(set) var teams: [Int64: Team] = [:]
  private(set) var lastKey: Int64 = 0
  /// The number of rows that requests have changed.
  private(set) var changeCount = 0

  enum Request: Sendable {
    case create(String)
    case createOrUpdate(String, Int16)
    case addPoints(below: Int16)
    case setPoints(Int64, Int16)
    case remove(Int64)
    case removeAll(from: Int16)
  }

  /// - Returns: false for a request that must fail.
  mutating func apply(_ request: Request) -> Bool {
    switch request {
    case .create(let name):
      guard key(of: name) == nil else { return false }
      insert(Team(name: name))
    case .createOrUpdate(let name, let points):
      let team = Team(name: name, points: points)
      guard let key = key(of: name) else {
        insert(team)
        break
      }
      changeCount += teams[key] == team ? 0 : 1
      teams[key] = team
    case .addPoints(let limit):
      for (key, team) in teams where team.points < limit { set(key, team.points + 1) }
    case .setPoints(let key, let points):
      guard teams[key] != nil else { return false }
      set(key, points)
    case .remove(let key):
      guard teams.removeValue(forKey: key) != nil else { return false }
      changeCount += 1
    case .removeAll(let limit):
      for (key, team) in teams where team.points >= limit {
        teams[key] = nil
        changeCount += 1
      }
    }
    return true
  }

  private func key(of name: String) -> Int64? { teams.first { $0.value.name == name }?.key }

  private mutating func insert(_ team: Team) {
    lastKey += 1
    teams[lastKey] = team
    changeCount += 1
  }

  private mutating func set(_ key: Int64, _ points: Int16) {
    changeCount += teams[key]?.points == points ? 0 : 1
    teams[key]?.points = points
  }
}

extension RandomLeague.Request {
  static func random(_ random: inout SeededGenerator, in league: RandomLeague) -> Self {
    let name = "Team \(random.below(9))"
    let key = Int64(1 + random.below(Int(league.lastKey) + 1))
    switch random.below(7) {
    case 0, 1: return .create(name)
    case 2: return .createOrUpdate(name, Int16(random.below(6)))
    case 3: return .addPoints(below: Int16(random.below(6)))
    case 4: return .setPoints(key, Int16(random.below(6)))
    case 5: return .remove(key)
    default: return .removeAll(from: Int16(5 + random.below(3)))
    }
  }

  private static func id(_ key: Int64, _ store: String) throws -> TypedObjectID<Team> {
    try #require(TypedObjectID(ObjectID(store: store, entity: "Team", primaryKey: key)))
  }

  /// - Parameter uuid: the UUID of the store.
  func run(in transaction: StoreTransaction, _ uuid: String) throws {
    switch self {
    case .create(let name): try transaction.create(Team(name: name))
    case .createOrUpdate(let name, let points):
      try transaction.createOrUpdate(Team(name: name, points: points))
    case .addPoints(let limit):
      try transaction.batchUpdate(Team.self) { $0.set(\.points, to: \.points + 1) }
        .where(\.points < limit)
    case .setPoints(let key, let points):
      try transaction.update(Self.id(key, uuid)) { $0.points = points }
    case .remove(let key): try transaction.delete(Self.id(key, uuid))
    case .removeAll(let limit): try transaction.batchDelete(Team.self).where(\.points >= limit)
    }
  }

  /// - Parameter uuid: the UUID of the store.
  func run(in store: PersistentStore, _ uuid: String) async throws {
    switch self {
    case .create(let name): try await store.create(Team(name: name))
    case .createOrUpdate(let name, let points):
      try await store.createOrUpdate(Team(name: name, points: points))
    case .addPoints(let limit):
      try await store.batchUpdate(Team.self) { $0.set(\.points, to: \.points + 1) }
        .where(\.points < limit)
    case .setPoints(let key, let points):
      try await store.update(Self.id(key, uuid)) { $0.points = points }
    case .remove(let key): try await store.delete(Self.id(key, uuid))
    case .removeAll(let limit): try await store.batchDelete(Team.self).where(\.points >= limit)
    }
  }
}
