import SQLiteAccess
import StoreCore
import StoreLayout
public import StorePredicate

/// The rows of a request at one moment, in order and in sections. It is a value that doesn't change when the store
/// changes.
///
///     for section in list.sections { print(section.name, section.count) }
///     let id = list[ResultIndexPath(section: 0, row: 3)]
///
/// It uses about thirty bytes per row and doesn't contain values.
public struct ResultList: Sendable {
  /// A function that returns the title of a section in the section index, from the section's name. It returns `nil` for
  /// a section without a title.
  public typealias IndexTitle = @Sendable (_ sectionName: String) -> String?

  /// The rows within the limit and offset of the request.
  let rows: SectionedRows
  /// The sections in order. A list without sections has one section without a name, even if it has no rows. In other
  /// lists, each section has at least one row.
  public let sections: [ResultSection]
  /// All matching rows, including rows outside of the request's limit and offset.
  let matched: MatchedRows
  let source: ResultSource
  /// The number of previous lists of the same results.
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

  /// Returns the row at an index path of the list.
  ///
  /// - Parameter path: an index path that exists in the list.
  public subscript(path: ResultIndexPath) -> ObjectID {
    let section = rows.sections[path.section].rows
    precondition(path.row >= 0 && path.row < section.count, "the list has no row at \(path)")
    return objectIDs[section.lowerBound + path.row]
  }

  /// Returns the position of a row, or `nil` if the list doesn't contain it. Takes O(log n).
  ///
  /// - Parameter id: the object ID of the row.
  /// - Returns: the index path of the row.
  public func indexPath(of id: ObjectID) -> ResultIndexPath? {
    guard id.store == nil || id.store == source.store, let place = matched.place(of: id.primaryKey),
      source.entities[matched.numbers[place]] == id.entity
    else { return nil }
    let shown = place - source.start(of: matched.count)
    return rows.keys.indices.contains(shown) ? rows.indexPath(at: shown) : nil
  }

  /// The object IDs of the rows in all sections, in order.
  public var objectIDs: ResultObjectIDs { ResultObjectIDs(list: self) }

  /// The titles of the sections that have an index title.
  public var sectionIndexTitles: [String] { sections.compactMap(\.indexTitle) }

  /// Returns the section of a title in `sectionIndexTitles`.
  ///
  /// - Parameter place: the index of the title in `sectionIndexTitles`.
  /// - Returns: the index of the section.
  public func section(forIndexTitleAt place: Int) -> Int {
    sections.indices.filter { sections[$0].indexTitle != nil }[place]
  }
}

/// A section of a list of results.
public struct ResultSection: Hashable, Sendable {
  /// The text of the value that all rows of the section have. It is empty if the value is NULL.
  public let name: String
  /// The title of the section in the section index, such as the index at the edge of a table view. The default is the
  /// first letter of the section's name as a capital letter.
  public let indexTitle: String?
  /// The number of rows.
  public let count: Int
}

extension ResultList {
  /// Returns the first letter as a capital letter, as Core Data does, and `nil` for an empty text.
  public static let firstLetter: IndexTitle = { name in name.first.map { $0.uppercased() } }

  /// Returns the changes from another list to this one. Both lists must belong to the same `LiveResults`.
  ///
  /// - Parameter old: the other list.
  /// - Returns: the changes.
  public func difference(from old: ResultList) -> ResultDifference {
    ResultDifference(from: old.rows, to: rows)
  }
}

/// The object IDs of a list, which are created on access.
public struct ResultObjectIDs: RandomAccessCollection, Sendable {
  let list: ResultList

  /// The index of the first row.
  public var startIndex: Int { 0 }
  /// The index after the last row.
  public var endIndex: Int { list.rows.count }

  /// Returns the object ID of a row.
  ///
  /// - Parameter place: the index of the row in the whole list.
  public subscript(place: Int) -> ObjectID {
    let number = list.matched.numbers[place + list.source.start(of: list.matched.count)]
    return ObjectID(
      store: list.source.store, entity: list.source.entities[number] ?? "\(number)",
      primaryKey: list.rows.keys[place])
  }
}

/// The position of a row in a list of results. Both numbers start at 0.
public struct ResultIndexPath: Hashable, Sendable, Comparable {
  /// The index of the section.
  public var section: Int
  /// The index of the row in its section.
  public var row: Int

  /// Creates an index path.
  ///
  /// - Parameters:
  ///   - section: the index of the section.
  ///   - row: the index of the row in its section.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  public static func < (left: Self, right: Self) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}

extension ResultIndexPath: CustomStringConvertible {
  /// The text `2.14` for the fifteenth row of the third section.
  public var description: String { "\(section).\(row)" }
}

/// The common properties of all lists of one request.
struct ResultSource: Sendable {
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

  /// Returns the position of the first shown row among all matching rows.
  func start(of count: Int) -> Int { Swift.min(offset, count) }

  /// Returns the positions of the shown rows among all matching rows.
  func window(of count: Int) -> Range<Int> {
    let start = start(of: count)
    return start..<(start + Swift.min(limit ?? count, count - start))
  }
}

extension SectionedRows {
  /// Returns the rows in a range and the sections that contain them, and the index of the first of these sections. A
  /// list without sections keeps its only section, even if it becomes empty.
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
