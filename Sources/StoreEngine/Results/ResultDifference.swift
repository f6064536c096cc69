/// The changes between two states of a list of results, for a view that shows the list.
///
/// Positions in the old list are positions before all changes. Positions in the new list are positions after all
/// changes. The changes can therefore be applied in any order between `beginUpdates` and `endUpdates`, or in one
/// `performBatchUpdates`. UIKit and AppKit use the same convention: deletions, updates and origins of moves refer to
/// the old list, and insertions and destinations of moves refer to the new list.
///
/// As in `NSFetchedResultsController`, the rows of a deleted section are in `deletions`, and the rows of an inserted
/// section are in `insertions`, so a program without sections can ignore changes of sections. A row never moves out of
/// a deleted section or into an inserted section, because `UITableView` rejects such moves. It is deleted and inserted
/// instead.
///
/// The number of moved rows is minimal.
public struct ResultDifference: Hashable, Sendable {
  /// A row that is in both lists and changes its position.
  public struct Move: Hashable, Sendable {
    /// The position in the old list.
    public var from: ResultIndexPath
    /// The position in the new list.
    public var to: ResultIndexPath
    /// Whether its values have also changed, so that its cell must be updated.
    public var isUpdated: Bool
  }

  /// A row whose values have changed and that keeps its position relative to other rows.
  public struct Update: Hashable, Sendable {
    /// The position in the old list, for `reloadRows(at:)`.
    public var from: ResultIndexPath
    /// The position in the new list, for reading its values.
    public var to: ResultIndexPath
  }

  /// The indexes of deleted sections in the old list, in ascending order.
  public internal(set) var deletedSections: [Int] = []
  /// The indexes of inserted sections in the new list, in ascending order.
  public internal(set) var insertedSections: [Int] = []
  /// The positions of deleted rows in the old list, in ascending order.
  public internal(set) var deletions: [ResultIndexPath] = []
  /// The positions of inserted rows in the new list, in ascending order.
  public internal(set) var insertions: [ResultIndexPath] = []
  /// The moved rows, in the order of their positions in the new list.
  public internal(set) var moves: [Move] = []
  /// The rows whose values have changed and that keep their positions, in the order of their positions in the old list.
  public internal(set) var updates: [Update] = []

  /// Creates an empty difference.
  public init() {}

  /// The number of changed rows and sections.
  public var count: Int {
    deletedSections.count + insertedSections.count + deletions.count + insertions.count
      + moves.count + updates.count
  }

  /// Whether the lists are equal.
  public var isEmpty: Bool { count == 0 }
}

extension ResultDifference {
  package init(from old: SectionedRows, to new: SectionedRows) {
    var comparison = ListComparison(old, new)
    comparison.compareRows()
    self = comparison.difference
  }
}
