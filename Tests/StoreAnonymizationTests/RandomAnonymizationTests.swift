import StoreDiagnostics
import Foundation
import SampleData
import SeededRandom
import StoreLayout
import StoreModel
@testable import SQLiteAccess
import StoreTestSupport
import StoreVerification
import TestSupport
import Testing

@testable import StoreAnonymization
@testable import StoreCore

/// Random graphs with random rules, compared with a slow and simple model of the guarantees of the rules. All rows are
/// read before and after, and each pair of values is checked separately.
///
/// `ANONYMIZE_SEEDS=17` repeats one seed, and `ANONYMIZE_SEEDS=100-200` tests more seeds.
@Suite struct RandomAnonymizationTests {
  static let seeds = Seeds.named("ANONYMIZE_SEEDS", otherwise: 0...11)

  @Test(arguments: seeds) func eachRuleKeepsItsPromise(_ seed: UInt64) throws {
    let graph = try GraphStore()
    try graph.store.write { connection in
      try RandomGraph(seed: seed, count: 12).insert(into: connection, graph.layout)
    }
    var generator = SeededGenerator(seed: seed &+ 0xA11)
    let rules = Self.rules(for: graph.layout.model, &generator)
    let trial = try AnonymizedStore(graph, rules: rules)
    let before = try RowsBefore(graph.store, graph.layout)
    if seed.isMultiple(of: 2) {
      let target = graph.file.folder.path("Other.sqlite")
      _ = try trial.anonymization(of: graph.store).write(to: LocalPath(target))
      try check(target, before, trial, "seed \(seed): \(rules)")
      #expect(try RowsBefore(graph.store, graph.layout).rows == before.rows, "seed \(seed)")
    } else {
      try graph.store.close()
      let store = try Store.openExclusively(LocalPath(graph.file.path))
      _ = try trial.anonymization(of: store).runInPlace()
      try check(graph.file.path, before, trial, "seed \(seed): \(rules)")
    }
  }

  private static func rules(for model: DataModel, _ generator: inout SeededGenerator) -> String {
    model.entities.flatMap { entity in
      model.storedAttributes(declaredBy: entity).map { attribute in
        let known = AnonymizationRule.names(for: attribute.type)
          .map { $0 == "constant …" ? "constant \(constant(attribute.type))" : $0 }
        return
          "\(entity.name).\(attribute.name): \(known.randomElement(using: &generator) ?? "keep")"
      }
    }.joined(separator: "\n")
  }

  private static func constant(_ type: AttributeType) -> String {
    switch type {
    case .date: "2020-02-02"
    case .uuid: "00000000-0000-4000-8000-000000000000"
    case .boolean: "true"
    case .binary, .transformable: "AQI="
    default: "7"
    }
  }

  private func check(
    _ path: String, _ before: RowsBefore, _ trial: AnonymizedStore, _ note: String
  ) throws {
    let store = try Store.open(LocalPath(path), .reading)
    let layout = trial.graph.layout
    let after = try RowsBefore(store, layout)
    #expect(after.rows.keys == before.rows.keys, "\(note)")
    var findings = try store.verify(in: layout)
    findings.removeAll { $0.code == "verify.wrong-sum" }
    #expect(findings == before.findings, "\(note)")
    var judge = PromiseJudge()
    for (key, values) in before.rows.sorted(by: { $0.key < $1.key }) {
      for (name, value) in values {
        let entry = trial.book.entries.first {
          $0.entity == key.entity
            && layout.entity(named: $0.entity)?.attributes[$0.attribute.name]?.column == name
        }
        let new = after.rows[key]?[name] ?? .null
        guard name != FixedColumn.version else { continue }
        let complaint = judge.complaint(value, new, entry)
        #expect(
          complaint == nil, "\(key).\(name): \(value) became \(new), \(complaint ?? ""); \(note)")
      }
    }
    #expect(after.pairs == before.pairs, "\(note)")
  }
}

/// The rows of a store by entity and key, its pairs, and its errors.
private struct RowsBefore {
  struct Key: Hashable, Comparable {
    var entity: String
    var number: Int64

    static func < (a: Key, b: Key) -> Bool { (a.entity, a.number) < (b.entity, b.number) }
  }

  var rows: [Key: [String: SQLiteValue]] = [:]
  var pairs: [String] = []
  var findings: [StoreFinding] = []

  init(_ store: Store, _ layout: StoreLayout) throws {
    findings = try store.verify(in: layout)
    findings.removeAll { $0.code == "verify.wrong-sum" }
    try store.read { connection in
      for entity in layout.entities where !entity.isAbstract {
        let columns = layout.table(named: entity.table)?.columns.map(\.name) ?? []
        let list = columns.map { SQL.name($0) }.joined(", ")
        let own: SQL = "Z_ENT = \(value: .integer(entity.number))"
        for row in try connection.rows("SELECT \(list) FROM \(name: entity.table) WHERE \(own)") {
          guard case .integer(let number) = row[0] else { continue }
          rows[Key(entity: entity.name, number: number)] = Dictionary(
            uniqueKeysWithValues: zip(columns, row))
        }
      }
      for table in layout.joinTables {
        pairs += try connection.rows("SELECT * FROM \(name: table.name) ORDER BY 1, 2").map {
          "\(table.name) \($0)"
        }
      }
    }
  }
}

/// Checks the guarantees of each rule for a value and its replacement, and for all values together.
private struct PromiseJudge {
  /// The replacements of values, by the text of the rule and the kind of the attribute.
  private var images: [String: [SQLiteValue: SQLiteValue]] = [:]
  private var shift: [String: Double] = [:]

  mutating func complaint(
    _ old: SQLiteValue, _ new: SQLiteValue, _ entry: RuleBook.Entry?
  ) -> String? {
    guard let entry, old != .null else { return old == new ? nil : "which has no rule" }
    let type = entry.attribute.type
    let rule = entry.rule
    let domain = "\(rule.text) \(type.name) \(entry.attribute.allowsExternalStorage)"
    if let image = images[domain]?[old], image != new { return "and elsewhere \(image)" }
    if [.hash, .scramble].contains(rule),
      let other = images[domain]?.first(where: { $0.value == new }), other.key != old
    {
      return "as \(other.key) did"
    }
    images[domain, default: [:]][old] = new
    return broken(rule, old, new, type, entry.attribute)
  }

  private mutating func broken(
    _ rule: AnonymizationRule, _ old: SQLiteValue, _ new: SQLiteValue, _ type: AttributeType,
    _ attribute: AttributeDescription
  ) -> String? {
    let mark: [UInt8] = attribute.allowsExternalStorage ? [1] : []
    switch (rule, old, new) {
    case (.keep, _, _): return old == new ? nil : "though it is kept"
    case (.null, _, _): return new == .null ? nil : "not NULL"
    case (.blank, .blob, _): return new == .blob(mark) ? nil : "not blank"
    case (.blank, _, _): return new == .text("") ? nil : "not blank"
    case (.constant(let text), _, _):
      let expected: SQLiteValue? = (try? type.stored(text: text)).map { value in
        if case .blob(let bytes) = value { .blob(mark + bytes) } else { value }
      }
      // A column converts a whole number to its storage class.
      let isEqual = new == expected || expected.map { number($0) == number(new) } == true
      return isEqual ? nil : "not the constant"
    case (.hash, .blob(let a), .blob(let b)):
      return a.count == b.count && (a.count <= 2 + mark.count || a != b) ? nil : "not hashed"
    case (.hash, .integer(let a), .integer(let b)):
      return (a < 0) == (b < 0) ? nil : "with another sign"
    case (.hash, .text, .text(let made)):
      return made.utf8.count == (type == .uri ? 41 : 32) ? nil : "not hashed"
    case (.scramble, .text(let a), .text(let b)):
      return a.utf16.count == b.utf16.count ? nil : "of another length"
    case (.fake, .text(let a), .text(let b)): return a.isEmpty == b.isEmpty ? nil : "empty"
    case (.shift, _, _):
      let difference = (number(new) - number(old)).rounded()
      let first = shift[rule.text, default: difference]
      shift[rule.text] = first
      return abs(first - difference) <= 1 && first != 0 ? nil : "another shift"
    case (.jitter(.seconds(let extent)), _, _):
      return abs(number(new) - number(old)) <= Double(extent) + 1 ? nil : "too far"
    case (.jitter(.percent(let percent)), _, _):
      let bound = abs(number(old)) * percent / 100
      return abs(number(new) - number(old)) <= bound + max(1, abs(number(old)) * 1e-6)
        ? nil : "too far"
    case (.round(.number(let step)), _, _):
      let bound = step / 2 + abs(number(old)) * 1e-6
      return abs(number(new) - number(old)) <= bound + 0.01 || type == .integer16 ? nil : "too far"
    case (.round(.calendar), _, _):
      let distance = number(old) - number(new)
      return distance >= 0 && distance < 31 * 86_400 ? nil : "not its month"
    default: return "of another kind"
    }
  }

  private func number(_ value: SQLiteValue) -> Double {
    switch value {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .text, .blob: .nan
    }
  }
}
