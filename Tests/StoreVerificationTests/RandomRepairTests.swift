import Foundation
import SampleData
import SeededRandom
import SQLiteAccess
import StoreLayout
import StoreModel
import StoreTestSupport
import StoreVerification
import Testing
import StoreCore

/// After random damage and a repair, a store differs from the original only in the damaged values.
@Suite struct RandomRepairTests {
  private static let seedsPerCase: UInt64 = 20

  @Test(arguments: 0..<UInt64(Soak.times(4)))
  func nothingHealthyChanges(_ part: UInt64) throws {
    for seed in part * Self.seedsPerCase..<(part + 1) * Self.seedsPerCase { try check(seed) }
  }

  private func check(_ seed: UInt64) throws {
    let graph = try GraphStore()
    try graph.store.write { connection in
      try RandomGraph(seed: seed, count: 4).insert(into: connection, graph.layout)
      try connection.run("UPDATE ZTHING SET ZPHOTO = \(Self.file) WHERE Z_PK = 1")
    }
    try graph.store.close()
    if seed.isMultiple(of: 4) { try graph.file.keepHistory() }
    let whole = try GraphStore(reopening: graph)
    let original = try StoreRows(whole)
    try whole.store.close()
    var damage = RandomDamage(seed: seed ^ 0xDA3A6E, layout: graph.layout)
    let statements = damage.statements()
    let note: Comment = "seed \(seed): \(statements.joined(separator: "; "))"
    try graph.file.edit(statements.joined(separator: ";"))
    let files = try ExternalFiles(of: graph)
    try files.put(ExternalFiles.named, ExternalFiles.orphan)

    let damaged = try GraphStore(reopening: graph)
    let before = try StoreRows(damaged)
    let outcome = try damaged.store.repair(
      in: graph.layout, now: Date().timeIntervalSince1970 + 7200)
    let changes = try StoreRows(damaged).healthyChanges(since: original, damaged: before)
    #expect(changes == [], note)
    #expect(try files.names == [ExternalFiles.named], note)
    // A repair leaves only damage that can't be distinguished from valid values, and dangling required references.
    let lost = outcome.remaining.filter { finding in
      switch finding.kind {
      case .dangling: finding.entity != "Passport"
      case .ghostPairs, .lostOwner, .shortCounter: true
      case .wrongEntity(let table, _): ["ZPASSPORT", "ZTAG"].contains(table)
      default: false
      }
    }
    #expect(lost == [], note)
  }

  private static let file = SQL.value(
    .blob([ExternalValue.fileMark] + Array(ExternalFiles.named.utf8) + [0]))
}

/// Every value of a `GraphModel` store, by row.
private struct StoreRows {
  /// Values by row: `ZTHING 1`, or `Z_1TAGS 1-2` for a pair.
  private var rows: [String: [String: SQLiteValue]] = [:]
  /// The columns that are cleared together with a key.
  private let companions: [String: [String]]

  init(_ graph: GraphStore) throws {
    let layout = graph.layout
    companions = Self.companions(in: layout)
    let tables =
      layout.tables.map { ($0.name, $0.columns.map(\.name), ["Z_PK"]) }
      + layout.joinTables.map { ($0.name, $0.columns.map(\.name), $0.primaryKey) }
      + [("Z_PRIMARYKEY", ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"], ["Z_ENT"])]
    for (table, columns, keys) in tables {
      let list = columns.map(SQL.name).joined(", ")
      for values in try graph.store.read({ try $0.rows("SELECT \(list) FROM \(name: table)") }) {
        let row = Dictionary(uniqueKeysWithValues: zip(columns, values))
        // The rows of the history tables have their own counters.
        if table == "Z_PRIMARYKEY", row["Z_ENT"]?.integer ?? 0 > 16000 { continue }
        let key = keys.map { row[$0]?.shown ?? "" }.joined(separator: "-")
        rows["\(table) \(key)"] = row
      }
    }
  }

  private static func companions(in layout: StoreLayout) -> [String: [String]] {
    var companions: [String: [String]] = [:]
    for entity in layout.entities {
      for toOne in entity.toOne.values {
        companions[toOne.column] = [toOne.entityColumn, toOne.orderColumn].compactMap(\.self)
      }
      for case .column(let key) in entity.toMany.values {
        companions[key.column, default: []] += [key.orderColumn].compactMap(\.self)
      }
    }
    return companions
  }

  /// Returns the differences from the original in values that weren't damaged.
  func healthyChanges(since original: StoreRows, damaged: StoreRows) -> [String] {
    let mentioned = Set(damaged.rows.keys).subtracting(original.rows.keys)
    var changes = rows.keys.filter { original.rows[$0] == nil }.map { "\($0) is new" }
    for (name, before) in original.rows {
      guard let after = rows[name], let hurt = damaged.rows[name] else {
        changes.append("\(name) is gone")
        continue
      }
      let isHurt = hurt != before || mentioned.contains { $0.mentions(name) }
      let cleared = companions.filter { hurt[$0.key] != before[$0.key] && after[$0.key] == .null }
      for (column, value) in before where after[column] != value && hurt[column] == value {
        if column == "Z_OPT", isHurt, after[column] == .integer((value.integer ?? 0) + 1) {
          continue
        }
        if after[column] == .null, cleared.values.contains(where: { $0.contains(column) }) {
          continue
        }
        changes.append("\(name).\(column): \(value.shown) became \(after[column]?.shown ?? "-")")
      }
    }
    return changes.sorted()
  }
}

extension String {
  /// Whether a pair such as `Z_1TAGS 77-2` may reference a row such as `ZTAG 2`.
  fileprivate func mentions(_ row: String) -> Bool {
    guard let key = row.split(separator: " ").last, let pair = split(separator: " ").last else {
      return false
    }
    return pair.split(separator: "-").contains(key)
  }
}

/// Damage that a bad disk, a bug or a manual edit can cause in a `GraphModel` store with four rows of each entity.
private struct RandomDamage {
  private var generator: SeededGenerator
  private let layout: StoreLayout

  init(seed: UInt64, layout: StoreLayout) {
    generator = SeededGenerator(seed: seed)
    self.layout = layout
  }

  /// Returns one to four kinds of damage, each in one location.
  mutating func statements() -> [String] {
    let kinds = (0..<8).shuffled(using: &generator).prefix(Int.random(in: 1...4, using: &generator))
    return kinds.map { kind in
      switch kind {
      case 0: reference()
      case 1: impossibleEntity()
      case 2: Bool.random(using: &generator) ? otherEntity() : companion()
      case 3: pair()
      case 4: hiddenKey()
      case 5: counter()
      case 6: oneSide()
      default: place()
      }
    }
  }

  private mutating func pick<T>(_ values: T...) -> T {
    values[Int.random(in: values.indices, using: &generator)]
  }

  private mutating func key(_ count: Int) -> Int { Int.random(in: 1...count, using: &generator) }

  /// Changes a reference to a missing row, or to a row of another entity.
  private mutating func reference() -> String {
    let (table, column, count) = pick(
      ("ZTHING", "ZOWNER", 8), ("ZTHING", "ZPARENT", 8), ("ZTHING", "ZMODEL", 8),
      ("ZBEING", "ZSPOUSE", 8), ("ZBEING", "ZMAKER", 8), ("ZBEING", "ZPASSPORT", 8),
      ("ZPASSPORT", "ZHOLDER", 4))
    let target = pick("77", "-1", "0", "8", "x'00'", "'none'")
    return "UPDATE \(table) SET \(column) = \(target) WHERE Z_PK = \(key(count))"
  }

  private mutating func impossibleEntity() -> String {
    let (table, count) = pick(("ZTHING", 8), ("ZBEING", 8), ("ZPASSPORT", 4), ("ZTAG", 4))
    let number = pick("NULL", "0", "99", "-9223372036854775808", "x'02'", "1")
    return "UPDATE \(table) SET Z_ENT = \(number) WHERE Z_PK = \(key(count))"
  }

  private mutating func otherEntity() -> String {
    let (table, sum) = pick(("ZTHING", 13), ("ZBEING", 5))
    return "UPDATE \(table) SET Z_ENT = \(sum) - Z_ENT WHERE Z_PK = \(key(8))"
  }

  private mutating func companion() -> String {
    let (table, column) = pick(
      ("ZTHING", "Z6_PARENT"), ("ZTHING", "Z6_MODEL"), ("ZBEING", "Z1_MAKER"))
    return
      "UPDATE \(table) SET \(column) = \(pick("99", "0", "6", "7", "2", "3")) WHERE Z_PK = \(key(8))"
  }

  private mutating func pair() -> String {
    let joins = layout.joinTables.sorted { $0.name < $1.name }
    let join = joins[Int.random(in: joins.indices, using: &generator)]
    let keys = pick("77, \(key(4))", "\(key(4)), 77", "77, 78")
    return "INSERT INTO \(join.name) (\(join.primaryKey.joined(separator: ", "))) VALUES (\(keys))"
  }

  private mutating func hiddenKey() -> String {
    let column = pick("Z2FAVOURITES", "Z2KEEPSAKES")
    // Keys above 4 belong to robots.
    return "UPDATE ZTHING SET \(column) = \(pick(77, 6, 0)) WHERE Z_PK = \(key(8))"
  }

  private mutating func counter() -> String {
    "UPDATE Z_PRIMARYKEY SET Z_MAX = \(pick("0", "1", "-5", "NULL")) WHERE Z_SUPER = 0"
  }

  private mutating func oneSide() -> String {
    let (table, column, count) = pick(
      ("ZBEING", "ZSPOUSE", 4), ("ZBEING", "ZPASSPORT", 4), ("ZPASSPORT", "ZHOLDER", 4))
    return "UPDATE \(table) SET \(column) = NULL WHERE Z_PK = \(key(count))"
  }

  private mutating func place() -> String {
    let column = pick("Z_FOK_PARENT", "Z_FOK_2KEEPSAKES")
    return "UPDATE ZTHING SET \(column) = \(pick("NULL", "2048", "x'00'")) WHERE Z_PK = \(key(8))"
  }
}
