/// The difference between two states of a list, for a view that displays it.
///
/// Positions in the old list are positions before all changes, and positions in the new list are positions after all
/// changes. The changes can therefore be applied in any order between `beginUpdates` and `endUpdates`, or in one
/// `performBatchUpdates`. UIKit and AppKit also use old positions for deletions, updates and the origins of moves, and
/// new positions for insertions and the destinations of moves.
///
/// As in `NSFetchedResultsController`, `deletions` include the rows of a deleted section, and `insertions` include the
/// rows of an inserted section, so code without sections doesn't need another list. A row doesn't move from a deleted
/// section or to an inserted section, because `UITableView` rejects such moves. It is deleted and inserted.
///
/// The difference has the smallest possible number of moves.
public struct ResultDifference: Hashable, Sendable {
  /// A row in both lists whose position changed.
  public struct Move: Hashable, Sendable {
    /// The position in the old list.
    public var from: ResultIndexPath
    /// The position in the new list.
    public var to: ResultIndexPath
    /// Whether values also changed, so that a cell must be updated.
    public var isUpdated: Bool
  }

  /// A row with other values and the same position relative to the rows around it.
  public struct Update: Hashable, Sendable {
    /// The position in the old list, for `reloadRows(at:)`.
    public var from: ResultIndexPath
    /// The position in the new list, for reading the values.
    public var to: ResultIndexPath
  }

  /// The deleted sections of the old list, in ascending order. The other arrays are sorted too, by their first
  /// position.
  public internal(set) var deletedSections: [Int] = []
  /// The inserted sections of the new list.
  public internal(set) var insertedSections: [Int] = []
  /// The deleted rows of the old list.
  public internal(set) var deletions: [ResultIndexPath] = []
  /// The inserted rows of the new list.
  public internal(set) var insertions: [ResultIndexPath] = []
  /// The moved rows, in the order of the new list.
  public internal(set) var moves: [Move] = []
  /// The rows with other values, in the order of the old list.
  public internal(set) var updates: [Update] = []

  /// Creates an empty difference.
  public init() {}

  /// The number of changes of rows and sections.
  public var count: Int {
    deletedSections.count + insertedSections.count + deletions.count + insertions.count
      + moves.count + updates.count
  }

  public var isEmpty: Bool { count == 0 }
}
/// Whether the lists are equal.

extension ResultDifference {
  package init(from old: SectionedRows, to new: SectionedRows) {
    var comparison = ListComparison(old, new)
    comparison.compareRows()
    self = comparison.difference
  }
}
