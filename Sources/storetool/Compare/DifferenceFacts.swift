import RecordFormats
import StoreComparison
import StoreDiagnostics
import StoreCore
import StoreEngine
import StorePredicate

/// The output of `diff`.
struct DifferenceFacts {
  let summary: ComparisonSummary
  /// The old store; nil for the changes of one store.
  var old: LocalPath?
  let new: LocalPath
  /// The start of the changes of one store.
  var since: HistoryBound?
  /// A warning that transactions after the date of `since` may be missing.
  var historyWarning: DiagnosticMessage?

  private struct Page: Encodable {
    @OmittedIfNil var store: LocalPath?
    @OmittedIfNil var since: String?
    @OmittedIfNil var old: LocalPath?
    @OmittedIfNil var new: LocalPath?
    @Flattened var counts: Counts
    let notes: [String]
    let entities: [EntityFacts]
    let properties: [PropertyFacts]
    let leftOut: [LeftOutFacts]
  }

  fileprivate struct Counts: Encodable {
    var added = 0
    var removed = 0
    var changed = 0
  }

  private struct EntityFacts: Encodable {
    let entity: String
    @OmittedIfNil var matchedBy: String?
    @OmittedIfNil var old: Int?
    @OmittedIfNil var new: Int?
    @Flattened var counts: Counts
  }

  private struct PropertyFacts: Encodable {
    let entity, property: String
    let changed: Int
  }

  private struct LeftOutFacts: Encodable {
    let entity, property: String?
    let because: String
  }

  var page: Facts {
    let isHistory = since != nil
    return .page(
      Page(
        store: isHistory ? new : nil, since: since?.text, old: old, new: isHistory ? nil : new,
        counts: counts, notes: notes.filter { $0.code != "compare.left-out" }.map(\.message),
        entities: summary.entities.filter(\.isShown).map { entity in
          EntityFacts(
            entity: entity.entity, matchedBy: isHistory ? nil : entity.matching.text,
            old: isHistory ? nil : entity.oldRows, new: isHistory ? nil : entity.newRows,
            counts: entity.counts)
        },
        properties: summary.entities.flatMap { entity in
          entity.properties.filter { $0.changed > 0 }.map {
            PropertyFacts(entity: entity.entity, property: $0.property, changed: $0.changed)
          }
        },
        leftOut: summary.omitted.map {
          LeftOutFacts(entity: $0.entity, property: $0.property, because: $0.text)
        }))
  }

  private var counts: Counts {
    summary.entities.map(\.counts).reduce(into: Counts()) { sum, counts in
      sum.added += counts.added
      sum.removed += counts.removed
      sum.changed += counts.changed
    }
  }

  /// The summary, such as `rows: 2 added, 1 removed, 4 changed`.
  var sentence: String {
    guard summary.differences > 0 else { return "no rows differ" }
    let counts = [
      "\(counts.added.grouped) added", "\(counts.removed.grouped) removed",
      "\(counts.changed.grouped) changed",
    ]
    return "rows: \(counts.joined(separator: ", "))"
  }

  /// Warnings and notes about incomplete history, rows without a key, and rows and properties that aren't compared.
  var notes: [DiagnosticMessage] {
    var notes = historyWarning.map { [$0] } ?? []
    notes += summary.entities.filter { $0.withoutKey > 0 }.map { entity in
      let rows = entity.withoutKey == 1 ? "1 row" : "\(entity.withoutKey.grouped) rows"
      return DiagnosticMessage(
        .warning, "compare.without-key",
        "\(rows) of '\(entity.entity)' without a value for the key: counted as removed and added"
      )
    }
    notes += summary.strayRows.map { stray in
      let rows =
        stray.count == 1
        ? "1 row of \(stray.table) has" : "\(stray.count) rows of \(stray.table) have"
      return DiagnosticMessage(
        .warning, "compare.stray-rows",
        "\(rows) an entity number that doesn't belong in this table: not compared")
    }
    notes += summary.omitted.map { left in
      let subject = [left.entity, left.property].compactMap(\.self).joined(separator: ".")
      return DiagnosticMessage(
        .note, "compare.left-out", "'\(subject)' isn't compared: \(left.text)")
    }
    return notes
  }
}

extension ComparisonSummary.EntityCounts {
  fileprivate var isShown: Bool { oldRows + newRows + differences > 0 }

  fileprivate var counts: DifferenceFacts.Counts {
    .init(added: added, removed: removed, changed: changed)
  }
}

extension RowMatching {
  fileprivate var text: String {
    switch self {
    case .objectID: "object ID"
    case .key(let attributes): attributes.joined(separator: ", ")
    }
  }
}

extension OmittedPart {
  fileprivate var text: String {
    let rows = rowCount.map { $0 == 1 ? ", with 1 row" : ", with \($0) rows" } ?? ""
    switch reason {
    case .onlyInOld: return "only the old store has it\(rows)"
    case .onlyInNew: return "only the new store has it\(rows)"
    case .otherwise(let old, let new): return "\(old) in the old store, \(new) in the new one"
    case .noKey(let entity): return "the rows of '\(entity)' can't be identified"
    }
  }
}
