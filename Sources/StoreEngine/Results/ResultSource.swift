import StoreLayout
import SQLiteAccess
import StoreCore

/// What all lists of one request have in common.
struct ResultSource: Sendable {
  /// The store's UUID.
  var store: String?
  /// The names of the entities, by number.
  var entities: [Int64: String]
  var limit: Int?
  var offset: Int
  var indexTitle: ResultList.IndexTitle

  init(_ query: ResultQuery, _ context: RowContext, indexTitle: @escaping ResultList.IndexTitle) {
    store = context.store
    let pairs = context.layout.entities.map { ($0.number, $0.name) }
    entities = Dictionary(pairs) { first, _ in first }
    limit = query.limit
    offset = query.offset
    self.indexTitle = indexTitle
  }

  /// The place of the first row that is shown, of all that match.
  func start(of count: Int) -> Int { Swift.min(offset, count) }

  /// The rows that are shown, of all that match.
  func window(of count: Int) -> Range<Int> {
    let start = start(of: count)
    return start..<(start + Swift.min(limit ?? count, count - start))
  }
}

extension SectionedRows {
  /// Some of the rows, in the sections that have any of them; all of a section-less list stay in its one.
  func window(_ range: Range<Int>) -> (rows: SectionedRows, firstSection: Int) {
    guard range != 0..<count else { return (self, 0) }
    var firstSection: Int?
    var shown = SectionedRows(
      keys: Array(keys[range]), fingerprints: Array(fingerprints[range]), sections: [])
    for (index, section) in sections.enumerated() {
      let rows = section.rows.clamped(to: range)
      guard !rows.isEmpty || sections.count == 1 && section.value == .null else { continue }
      firstSection = firstSection ?? index
      shown.sections.append(
        Section(
          value: section.value,
          rows: (rows.lowerBound - range.lowerBound)..<(rows.upperBound - range.lowerBound)))
    }
    return (shown, firstSection ?? 0)
  }
}
