import SampleData
import SeededRandom
import StoreModel

@testable import StoreImport

/// A random input for an import by key, in which each relationship occurs on one of its sides.
struct ImportRun {
  struct Object {
    var row: LeagueModel.Row
    /// Nil for an omitted value, `.some(nil)` for null.
    var note: String??
    /// The destinations by relationship. An empty list is null or `[]`.
    var links: [(relationship: String, targets: [LeagueModel.Row])] = []
    var isRecord = true
  }

  /// The objects in the order of the document.
  private(set) var objects: [Object] = []
  private(set) var text = ""
  let members: MemberPolicy
  /// Whether `Team.fans` changes `City.likes`.
  private(set) var fillsLikes = false

  private static let keys: [String: [String]] = [
    "Team": ["A", "B", "C", "D"], "Player": (1...7).map(String.init),
    "City": ["X", "Y", "Z"], "Badge": ["p", "q", "r"],
  ]

  init(_ generator: inout SeededGenerator, known: LeagueModel) {
    members = generator.pick(MemberPolicy.allCases)
    let sides = [
      generator.pick(["Team.players", "Player.team"]), generator.pick(["Team.fans", "City.likes"]),
      generator.pick(["Team.badge", "Badge.team"]), "Player.home", "City.shops",
    ]
    fillsLikes = sides.contains("Team.fans")
    for _ in 0..<(1 + generator.below(6)) {
      text += record(&generator, sides, known) + "\n"
    }
  }

  private static func row(_ entity: String, _ generator: inout SeededGenerator) -> LeagueModel.Row {
    LeagueModel.Row(entity: entity, key: generator.pick(keys[entity] ?? [""]))
  }

  private mutating func record(
    _ generator: inout SeededGenerator, _ sides: [String], _ known: LeagueModel
  ) -> String {
    let row = Self.row(generator.pick(["Team", "Player", "City", "Badge"]), &generator)
    let index = objects.count
    objects.append(Object(row: row))
    var members = start(row, index, &generator)
    for side in sides.sorted() where side.hasPrefix(row.entity + ".") && generator.below(2) == 0 {
      let relationship = String(side.dropFirst(row.entity.count + 1))
      let (destination, isToMany) = LeagueModel.relationships[side] ?? ("", false)
      var targets: [LeagueModel.Row] = []
      var texts: [String] = []
      let isNull = generator.below(6) == 0
      let count = isNull ? 0 : isToMany ? generator.below(4) : 1
      for _ in 0..<count {
        let target = Self.row(destination, &generator)
        targets.append(target)
        texts.append(write(target, &generator, known))
      }
      objects[index].links.append((relationship, targets))
      let value = isToMany ? "[\(texts.joined(separator: ", "))]" : texts.first ?? "null"
      members.append("\"\(relationship)\": \(isNull ? "null" : value)")
    }
    return "{\(members.joined(separator: ", "))}"
  }

  private mutating func start(
    _ row: LeagueModel.Row, _ index: Int, _ generator: inout SeededGenerator
  ) -> [String] {
    var members = ["\"$entity\": \"\(row.kind)\"", "\"key\": \"\(row.key)\""]
    switch generator.below(4) {
    case 0:
      objects[index].note = .some(nil)
      members.append("\"note\": null")
    case 1:
      let note = generator.pick(["u", "v", "w"])
      objects[index].note = .some(note)
      members.append("\"note\": \"\(note)\"")
    default: break
    }
    return members
  }

  /// Returns a nested object, or the key of a row in the store.
  private mutating func write(
    _ row: LeagueModel.Row, _ generator: inout SeededGenerator, _ known: LeagueModel
  ) -> String {
    if known.notes[row] != nil, generator.below(2) == 0 { return "\"\(row.key)\"" }
    objects.append(Object(row: row, isRecord: false))
    let members = start(row, objects.count - 1, &generator)
    return "{\(members.joined(separator: ", "))}"
  }
}
