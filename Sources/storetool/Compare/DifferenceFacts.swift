import StoreComparison
import StoreDiagnostics
import StoreCore
import StoreEngine
import StorePredicate

/// The facts of `diff`.
struct DifferenceFacts {
  let summary: ComparisonSummary
  private let old: FilePath?
  private let new: FilePath
  private let since: HistoryBound?
  private let stray: [StrayRows]
  /// Transactions after the date that `since` is may be missing.
  private let historyWarning: Diagnostic?

  init(_ summary: ComparisonSummary, old: FilePath, new: FilePath, stray: [StrayRows]) {
    self.summary = summary
    (self.old, self.new, since, historyWarning) = (old, new, nil, nil)
    self.stray = stray
  }

  init(_ summary: ComparisonSummary, store: FilePath, since: HistoryBound, warning: Diagnostic?) {
    self.summary = summary
    (old, new, self.since, historyWarning) = (nil, store, since, warning)
    stray = []
  }

  var page: Facts {
    var page = FactObject()
    if let since {
      page.add("store", new)
      page.add("since", since.text)
    } else {
      page.add("old", old)
      page.add("new", new)
    }
    for kind in RowDifference.Kind.allCases {
      page.add(kind.rawValue, summary.entities.reduce(0) { $0 + $1.count(of: kind) })
    }
    page.add("notes", notes.filter { $0.code != "compare.left-out" }.map(\.message))
    page.add("entities", summary.entities.filter(\.isShown).map(facts))
    page.add("properties", summary.entities.flatMap(propertyFacts))
    page.add("leftOut", summary.leftOut.map(facts))
    return .page(page.value)
  }

  /// `2 rows added, 1 removed, 4 changed`
  var sentence: String {
    guard summary.differences > 0 else { return "no row differs" }
    let counts = RowDifference.Kind.allCases.map { kind in
      let count = summary.entities.reduce(0) { $0 + $1.count(of: kind) }
      return "\(count.grouped) \(kind.rawValue)"
    }
    return "rows: \(counts.joined(separator: ", "))"
  }

  /// What the numbers do not say.
  var notes: [Diagnostic] {
    var notes = historyWarning.map { [$0] } ?? []
    notes += summary.entities.filter { $0.withoutKey > 0 }.map { entity in
      let rows = entity.withoutKey == 1 ? "1 row" : "\(entity.withoutKey.grouped) rows"
      return Diagnostic(
        .warning, "compare.without-key",
        "\(rows) of '\(entity.entity)' without a value for the key: removed in the one store, added in the other"
      )
    }
    notes += stray.map { stray in
      let rows =
        stray.count == 1
        ? "1 row of \(stray.table) has" : "\(stray.count) rows of \(stray.table) have"
      return Diagnostic(
        .warning, "compare.stray-rows",
        "\(rows) the number of an entity that does not belong there: not compared")
    }
    notes += summary.leftOut.map { left in
      let subject = [left.entity, left.property].compactMap(\.self).joined(separator: ".")
      return Diagnostic(.note, "compare.left-out", "'\(subject)' is not compared: \(left.text)")
    }
    return notes
  }

  private func facts(of entity: ComparisonSummary.EntityCounts) -> FactObject {
    var object = FactObject()
    object.add("entity", entity.entity)
    if since == nil {
      object.add("matchedBy", entity.matching.text)
      object.add("old", entity.oldRows)
      object.add("new", entity.newRows)
    }
    for kind in RowDifference.Kind.allCases { object.add(kind.rawValue, entity.count(of: kind)) }
    return object
  }

  private func propertyFacts(of entity: ComparisonSummary.EntityCounts) -> [FactObject] {
    entity.properties.filter { $0.changed > 0 }.map { property in
      var object = FactObject()
      object.add("entity", entity.entity)
      object.add("property", property.property)
      object.add("changed", property.changed)
      return object
    }
  }

  private func facts(of left: LeftOut) -> FactObject {
    var object = FactObject()
    object.add("entity", left.entity)
    object.add("property", left.property)
    object.add("because", left.text)
    return object
  }
}

extension ComparisonSummary.EntityCounts {
  fileprivate var isShown: Bool { oldRows + newRows + differences > 0 }

  fileprivate func count(of kind: RowDifference.Kind) -> Int {
    switch kind {
    case .added: added
    case .removed: removed
    case .changed: changed
    }
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

extension LeftOut {
  fileprivate var text: String {
    let rows = rowCount.map { $0 == 1 ? ", with 1 row" : ", with \($0) rows" } ?? ""
    switch reason {
    case .onlyInOld: return "only the old store has it\(rows)"
    case .onlyInNew: return "only the new store has it\(rows)"
    case .otherwise(let old, let new): return "\(old) in the old store, \(new) in the new one"
    case .noKey(let entity): return "nothing tells the rows of '\(entity)' apart"
    }
  }
}
