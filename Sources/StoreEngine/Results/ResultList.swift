import SQLiteAccess
import StoreCore
import StoreLayout
public import StorePredicate

/// The rows of a request as they were at one moment, in their order and sections. A value: it stays
/// as it is while the store changes.
///
///     for section in list.sections { print(section.name, section.count) }
///     let id = list[ResultIndexPath(section: 0, row: 3)]
///
/// It holds some thirty bytes a row and no values.
public struct ResultList: Sendable {
  /// Makes the title of a section in an index beside a list, of the section's name.
  public typealias IndexTitle = @Sendable (_ sectionName: String) -> String?

  /// The rows shown.
  let rows: SectionedRows
  /// In their order. A list without sections has one without a name, also when it has no rows;
  /// otherwise a section has at least one row.
  public let sections: [ResultSection]
  /// All rows that match, those outside of the request's limit and offset among them.
  let matched: MatchedRows
  let source: ResultSource
  /// How many lists there were before this one.
  let generation: Int

  init(_ matched: MatchedRows, of source: ResultSource, generation: Int = 0) {
    self.matched = matched
    self.source = source
    self.generation = generation
    let (rows, firstSection) = matched.rows.window(source.window(of: matched.count))
    self.rows = rows
    sections = zip(rows.sections, matched.names.dropFirst(firstSection)).map { section, name in
      ResultSection(name: name, indexTitle: source.indexTitle(name), count: section.rows.count)
    }
  }

  func following(_ matched: MatchedRows) -> ResultList {
    ResultList(matched, of: source, generation: generation + 1)
  }

  /// How many rows there are in all sections.
  public var count: Int { rows.count }

  public var isEmpty: Bool { rows.count == 0 }

  /// The row at an index path, which must be one of the list.
  public subscript(path: ResultIndexPath) -> ObjectID {
    let section = rows.sections[path.section].rows
    precondition(path.row >= 0 && path.row < section.count, "no row \(path) in this list")
    return objectIDs[section.lowerBound + path.row]
  }

  /// Where a row is; nil when it is not in the list. Takes O(log n).
  public func indexPath(of id: ObjectID) -> ResultIndexPath? {
    guard id.store == nil || id.store == source.store, let place = matched.place(of: id.primaryKey),
      source.entities[matched.numbers[place]] == id.entity
    else { return nil }
    let shown = place - source.start(of: matched.count)
    return rows.keys.indices.contains(shown) ? rows.indexPath(at: shown) : nil
  }

  /// The rows of all sections, one behind the other.
  public var objectIDs: ResultObjectIDs { ResultObjectIDs(list: self) }

  /// The titles of an index beside the list: one for each section that has one.
  public var sectionIndexTitles: [String] { sections.compactMap(\.indexTitle) }

  /// The section of the title at a place of `sectionIndexTitles`.
  public func section(forIndexTitleAt place: Int) -> Int {
    sections.indices.filter { sections[$0].indexTitle != nil }[place]
  }
}

/// A section of a list of results.
public struct ResultSection: Hashable, Sendable {
  /// The value that its rows have in common, as text; empty for nil.
  public let name: String
  /// Its title in an index beside the list: the first letter of its name as a capital, unless the
  /// program makes another one.
  public let indexTitle: String?
  /// How many rows it has.
  public let count: Int
}

extension ResultList {
  /// The first letter as a capital, as Core Data has it; nil for the empty text.
  public static let firstLetter: IndexTitle = { name in name.first.map { $0.uppercased() } }

  /// What makes another list into this one. Both must be of one `LiveResults`.
  public func difference(from old: ResultList) -> ResultDifference {
    ResultDifference(from: old.rows, to: rows)
  }
}

/// The object IDs of a list, made when they are asked for.
public struct ResultObjectIDs: RandomAccessCollection, Sendable {
  let list: ResultList

  public var startIndex: Int { 0 }
  public var endIndex: Int { list.rows.count }

  public subscript(place: Int) -> ObjectID {
    let number = list.matched.numbers[place + list.source.start(of: list.matched.count)]
    return ObjectID(
      store: list.source.store, entity: list.source.entities[number] ?? "\(number)",
      primaryKey: list.rows.keys[place])
  }
}

/// The place of a row in a list of results: its section, and its place in there, both from 0.
public struct ResultIndexPath: Hashable, Sendable, Comparable {
  public var section: Int
  public var row: Int

  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

extension ResultIndexPath: CustomStringConvertible {
  /// `2.14`: the fifteenth row of the third section.
  public var description: String { "\(section).\(row)" }
}

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
