package import SQLiteAccess
import StoreCore
import StoreLayout

/// Translates Core Data's persistent history to the target version: entity numbers, keys of rows, changed properties,
/// and values of deleted rows (docs/formats/history.md).
struct HistoryPlan: Hashable {
  let source: StoreLayout
  let target: StoreLayout
  /// The moves of entities. If an entity is split, the history of its deleted rows is assigned to the target of its
  /// first move.
  let moves: [EntityMove]
  /// The number of columns for values of deleted rows, before the migration.
  let tombstoneCount: Int
  /// The names of all columns of the table of changes.
  private let columns: [String]

  private let table = SQL.name(HistoryTable.changes)
  private let entity = SQL.name(HistoryColumn.entity)
  private let mask = SQL.name(HistoryColumn.mask)

  init(from source: StoreLayout, to target: StoreLayout, moves: [EntityMove], columns: [String]) {
    self.source = source
    self.target = target
    self.moves = moves
    self.columns = columns
    tombstoneCount = HistoryColumn.tombstoneCount(among: columns)
  }

  /// The steps of the translation. Changes are found by the old number of their entity, which is therefore translated
  /// last.
  var steps: [MigrationStep] {
    forgotten + widened + followed.flatMap { masks(of: $0) + tombstones(of: $0) } + renumbered
  }

  private func step(_ sql: SQL, _ purpose: String) -> MigrationStep {
    MigrationStep(sql, purpose, .bookkeeping)
  }

  // MARK: Entities

  /// The changes of an entity, or a part of them if the entity is split.
  private struct Followed: Hashable {
    let old: EntityLayout
    let new: EntityLayout
    let move: EntityMove
    /// The condition that selects the changes of this part; nil for all changes. Each change is in exactly one part.
    var part: SQL?
  }

  private var followed: [Followed] { source.entities.flatMap(routes) }

  /// Returns the parts of an entity's changes, one for each move. A change is in the part of the first move that moved
  /// its row. Changes of deleted rows are in the part of the entity's first move.
  private func routes(of old: EntityLayout) -> [Followed] {
    var routes = moves.filter { $0.source == old.name }.compactMap { move in
      target.entity(named: move.target).map { Followed(old: old, new: $0, move: move) }
    }
    guard routes.count > 1 else { return routes }
    let arrived = routes.map(hasArrived)
    let elsewhere = arrived.dropFirst().joined(" OR ")
    for (index, row) in arrived.enumerated() {
      let before = arrived[..<index].joined(" OR ")
      routes[index].part =
        index == 0 ? "(\(row) OR NOT (\(elsewhere)))" : "\(row) AND NOT (\(before))"
    }
    return routes
  }

  private func hasArrived(_ route: Followed) -> SQL {
    """
    EXISTS (SELECT 1 FROM \(name: route.new.table) AS r WHERE r.\(name: FixedColumn.primaryKey) = \
    \(table).\(name: HistoryColumn.key) + \(route.move.keyOffset ?? "0") \
    AND r.\(name: FixedColumn.entity) = \(value: .integer(route.new.number)))
    """
  }

  private var forgotten: [MigrationStep] {
    let kept = Set(followed.map(\.old))
    let removed = source.entities.filter { !kept.contains($0) }
    guard !removed.isEmpty else { return [] }
    return [
      step(
        "DELETE FROM \(table) WHERE \(entity) IN \(.list(removed.map(\.number)))",
        "deletes the history of \(removed.map(\.name).joined(separator: ", "))")
    ]
  }

  private var renumbered: [MigrationStep] {
    let moved = source.entities.map(routes).filter { routes in
      routes.contains { $0.new.number != $0.old.number || $0.move.keyOffset != nil }
    }
    guard !moved.isEmpty else { return [] }
    return [
      step(
        """
        UPDATE \(table) SET \(assignments(moved)) \
        WHERE \(entity) IN \(.list(moved.map { $0[0].old.number }))
        """, "translates entity numbers in the history")
    ]
  }

  /// The assignments for all entities in one statement, so that no number is translated twice.
  private func assignments(_ moved: [[Followed]]) -> SQL {
    func choice(_ value: (Followed) -> SQL?, else other: SQL) -> SQL? {
      let cases = moved.filter { $0.contains { value($0) != nil } }.map { routes -> SQL in
        let parts = routes.map { route -> SQL in
          let value = value(route) ?? other
          return route.part.map { "WHEN \($0) THEN \(value)" } ?? value
        }.joined(" ")
        return """
          WHEN \(value: .integer(routes[0].old.number)) THEN \
          \(routes.count == 1 ? parts : "CASE \(parts) END")
          """
      }
      return cases.isEmpty ? nil : "CASE \(entity) \(cases.joined(" ")) ELSE \(other) END"
    }
    let number = choice({ .value(.integer($0.new.number)) }, else: entity)
    let offset = choice({ $0.move.keyOffset }, else: "0")
    let key = SQL.name(HistoryColumn.key)
    return [number.map { "\(entity) = \($0)" }, offset.map { "\(key) = \(key) + \($0)" }]
      .compactMap { (assignment: SQL?) in assignment }.joined(", ")
  }

  private func changes(of place: Followed) -> SQL {
    "\(entity) = \(value: .integer(place.old.number))\(place.part.map { " AND \($0)" } ?? "")"
  }

  // MARK: Properties that were changed

  private func masks(of place: Followed) -> [MigrationStep] {
    let old = source.changedProperties(of: place.old.number).names
    let new = target.changedProperties(of: place.new.number).names
    let bits = place.move.places(of: new, among: old)
    var condition: SQL = "\(changes(of: place)) AND \(mask) IS NOT NULL"
    if old.count.bytes == new.count.bytes, bits.beginAsBefore(old.count) {
      // The old properties keep their bits. A set bit after them would mark a new property as changed.
      guard new.count > old.count else { return [] }
      condition += " AND \(hasBit(in: old.count..<new.count))"
    }
    // SQLite can't create a byte from a number, so it is looked up in a blob of all bytes.
    return [
      step(
        """
        WITH all_bytes(b) AS (SELECT \(value: .blob(Array(0...255)))) \
        UPDATE \(table) SET \(mask) = (SELECT \(translated(bits)) FROM all_bytes) \
        WHERE \(condition)
        """, "translates the changed properties of \(place.new.name) in the history")
    ]
  }

  /// Returns a mask of translated bits. SQLite's bit operators have the same precedence, so each one is in parentheses.
  private func translated(_ bits: [[Int]]) -> SQL {
    guard !bits.isEmpty else { return .value(.blob([])) }
    let bytes = stride(from: 0, to: bits.count, by: 8).map { start -> SQL in
      let set = (start..<min(start + 8, bits.count)).flatMap { new in
        bits[new].map { old -> SQL in "(\(bit(old)) << \(value: .integer(Int64(7 - new % 8))))" }
      }
      return "substr(b, 1 + (\(set.isEmpty ? "0" : set.joined(" | "))), 1)"
    }
    return "CAST(\(bytes.joined(" || ")) AS BLOB)"
  }

  /// Returns the condition that at least one of the bits is set. All bits must be in the same byte of the mask. The SQL
  /// tests that this byte isn't in the blob of all bytes in which none of these bits is set.
  private func hasBit(in places: Range<Int>) -> SQL {
    let bits = places.reduce(UInt8(0)) { $0 | 0x80 >> UInt8($1 % 8) }
    let others = (UInt8.min...UInt8.max).filter { $0 & bits == 0 }
    return "instr(\(value: .blob(others)), \(byte(places.lowerBound / 8))) = 0"
  }

  /// Returns a byte of the old mask, which may be stored as text. The byte is empty or NULL if the mask is too short.
  private func byte(_ index: Int) -> SQL {
    "substr(CAST(\(mask) AS BLOB), \(value: .integer(Int64(index + 1))), 1)"
  }

  /// Returns a bit of the old mask, or 0 if the mask is too short. `instr(b, …)` is the byte's value plus 1, because
  /// `b` contains all bytes in order. It is 1 for an empty byte, and NULL for NULL.
  private func bit(_ place: Int) -> SQL {
    """
    (((ifnull(instr(b, \(byte(place / 8))), 1) - 1) >> \(value: .integer(Int64(7 - place % 8)))) & 1)
    """
  }

  // MARK: Values of deleted rows

  private var widened: [MigrationStep] {
    (tombstoneCount..<max(tombstoneCount, target.tombstoneCount))
      .map(HistoryColumn.tombstone).filter { !columns.contains($0) }.map { column in
        step(
          "ALTER TABLE \(table) ADD COLUMN \(name: column) BLOB",
          "adds a history column for values of deleted rows")
      }
  }

  private func tombstones(of place: Followed) -> [MigrationStep] {
    let old = source.preservedAttributes(of: place.old)
    let new = target.preservedAttributes(of: place.new)
    let columns = place.move.places(of: new, among: old)
    guard !columns.beginAsBefore(old.count) else { return [] }
    let all = 0..<max(tombstoneCount, target.tombstoneCount)
    let assignments = all.prefix(max(old.count, new.count)).map { number -> SQL in
      let from = number < new.count ? columns[number].first(where: all.contains) : nil
      return """
        \(name: HistoryColumn.tombstone(number)) = \
        \(from.map { .name(HistoryColumn.tombstone($0)) } ?? "NULL")
        """
    }
    guard !assignments.isEmpty else { return [] }
    return [
      step(
        """
        UPDATE \(table) SET \(assignments.joined(", ")) \
        WHERE \(changes(of: place)) \
        AND \(name: HistoryColumn.kind) = \(value: .integer(ChangeKind.delete.rawValue))
        """, "moves values of deleted rows of \(place.new.name) to their columns")
    ]
  }
}

extension EntityMove {
  /// Returns the old positions of each new name. A new property has no old positions.
  fileprivate func places(of new: [String], among old: [String]) -> [[Int]] {
    new.map { name in
      properties[name, default: [name]].compactMap { old.firstIndex(of: $0) }.sorted()
    }
  }
}

extension [[Int]] {
  /// Whether the first `count` positions are unchanged and all other positions are new.
  fileprivate func beginAsBefore(_ count: Int) -> Bool {
    self.count >= count && enumerated().allSatisfy { $1 == ($0 < count ? [$0] : []) }
  }
}

extension Int {
  /// The number of bytes for this number of bits.
  fileprivate var bytes: Int { (self + 7) / 8 }
}

/// Rows of a source entity that become rows of a target entity, with the changes that Core Data's own tables require.
package struct EntityMove: Hashable, Sendable {
  package var source: String
  package var target: String
  /// The offset that is added to every row's `Z_PK`; nil if the keys don't change. It is evaluated after the rows were
  /// moved, so it must not depend on them.
  package var keyOffset: SQL?
  /// The names of the source properties, by the target property's name, for target properties whose source has another
  /// name. The set is empty for a new property. A composite can have several source properties.
  package var properties: [String: Set<String>]

  package init(
    from source: String, to target: String, keyOffset: SQL? = nil,
    properties: [String: Set<String>] = [:]
  ) {
    self.source = source
    self.target = target
    self.keyOffset = keyOffset
    self.properties = properties
  }
}
