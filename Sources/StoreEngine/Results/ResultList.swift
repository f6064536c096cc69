import SQLiteAccess
import StoreCore
import StoreLayout
public import StorePredicate

/// The rows of a request at one moment, in their order and sections. The value doesn't change while the store changes.
///
///     for section in list.sections { print(section.name, section.count) }
///     let id = list[ResultIndexPath(section: 0, row: 3)]
///
/// It contains about thirty bytes per row and no values.
public struct ResultList: Sendable {
  /// A function that returns the index title of a section from its name.
  public typealias IndexTitle = @Sendable (_ sectionName: String) -> String?

  /// The visible rows.
  let rows: SectionedRows
  /// The sections in their order. A list without sections has one section without a name, even without rows. Otherwise,
  /// each section has at least one row.
  public let sections: [ResultSection]
  /// All rows that match, including rows outside of the request's limit and offset.
  let matched: MatchedRows
  let source: ResultSource
  /// The number of previous lists.
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

  /// The number of rows in all sections.
  public var count: Int { rows.count }
  /// Whether the list has no rows.

  public var isEmpty: Bool { rows.count == 0 }

  /// The row at an index path, which must exist.
  public subscript(path: ResultIndexPath) -> ObjectID {
    let section = rows.sections[path.section].rows
    precondition(path.row >= 0 && path.row < section.count, "no row \(path) in this list")
    return objectIDs[section.lowerBound + path.row]
  }

  /// Returns the index path of a row, or nil if the list doesn't contain it. The complexity is O(log n).
  ///
  /// - Parameter id: the object ID of the row.
  public func indexPath(of id: ObjectID) -> ResultIndexPath? {
    guard id.store == nil || id.store == source.store, let place = matched.place(of: id.primaryKey),
      source.entities[matched.numbers[place]] == id.entity
    else { return nil }
    let shown = place - source.start(of: matched.count)
    return rows.keys.indices.contains(shown) ? rows.indexPath(at: shown) : nil
  }

  /// The rows of all sections, one after another.
  public var objectIDs: ResultObjectIDs { ResultObjectIDs(list: self) }

  /// The titles in an index of the list: one for each section that has a title.
  public var sectionIndexTitles: [String] { sections.compactMap(\.indexTitle) }

  /// Returns the section for a position in `sectionIndexTitles`.
  ///
  /// - Parameter place: the position of the title.
  public func section(forIndexTitleAt place: Int) -> Int {
    sections.indices.filter { sections[$0].indexTitle != nil }[place]
  }
}

/// A section in a list of results.
public struct ResultSection: Hashable, Sendable {
  /// The common value of its rows as text, which is empty for nil.
  public let name: String
  /// The title in an index of the list. The default is the first letter of the name in upper case.
  public let indexTitle: String?
  /// The number of rows.
  public let count: Int
}

extension ResultList {
  /// The first letter in upper case, as in Core Data, or nil for the empty text.
  public static let firstLetter: IndexTitle = { name in name.first.map { $0.uppercased() } }

  /// Returns the difference between another list and this one. Both must be from the same `LiveResults`.
  ///
  /// - Parameter old: the previous list.
  public func difference(from old: ResultList) -> ResultDifference {
    ResultDifference(from: old.rows, to: rows)
  }
}

/// The object IDs of a list, which are created on access.
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

/// The position of a row in a list of results: its section, and its position in the section. Both count from 0.
public struct ResultIndexPath: Hashable, Sendable, Comparable {
  /// The index of the section.
  public var section: Int
  /// The position of the row in the section.
  public var row: Int

  /// Creates an index path.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

extension ResultIndexPath: CustomStringConvertible {
  /// The text of the path, such as `2.14` for the fifteenth row of the third section.
  public var description: String { "\(section).\(row)" }
}

/// The common properties of all lists of a request.
struct ResultSource: Sendable {
  /// The UUID of the store.
  var store: String?
  /// The names of the entities by number.
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

  /// The index of the first visible row among the rows that match.
  func start(of count: Int) -> Int { Swift.min(offset, count) }

  /// The visible rows among the rows that match.
  func window(of count: Int) -> Range<Int> {
    let start = start(of: count)
    return start..<(start + Swift.min(limit ?? count, count - start))
  }
}

extension SectionedRows {
  /// Returns a range of the rows, in the sections that contain them. A list without sections remains one section.
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
