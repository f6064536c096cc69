/// What makes one state of a list of results into another, for a view that shows it.
///
/// Places in the old list are those before any change, places in the new one those after all: the
/// changes can be handed over in any order between `beginUpdates` and `endUpdates`, or in one
/// `performBatchUpdates`. UIKit and AppKit, too, take deletions, updates and the origins of moves by
/// the old list, insertions and the destinations of moves by the new one.
///
/// As `NSFetchedResultsController` reports them, the rows of a deleted section stand in `deletions` and
/// those of an inserted one in `insertions`: whoever keeps rows without sections needs no other list.
/// A row never moves out of a deleted section or into an inserted one, which `UITableView` refuses; it
/// is deleted and inserted.
///
/// No other set of changes moves fewer rows.
public struct ResultDifference: Hashable, Sendable {
  /// A row that is in both lists.
  public struct Move: Hashable, Sendable {
    /// In the old list.
    public var from: ResultIndexPath
    /// In the new list.
    public var to: ResultIndexPath
    /// Its values have changed too: a cell that shows them is to be made anew.
    public var isUpdated: Bool
  }

  /// A row that keeps its place among those around it, and has other values.
  public struct Update: Hashable, Sendable {
    /// In the old list: what `reloadRows(at:)` wants.
    public var from: ResultIndexPath
    /// In the new list: where its values are found.
    public var to: ResultIndexPath
  }

  /// In the old list, ascending, as all others by their first place.
  public internal(set) var deletedSections: [Int] = []
  /// In the new list.
  public internal(set) var insertedSections: [Int] = []
  /// In the old list.
  public internal(set) var deletions: [ResultIndexPath] = []
  /// In the new list.
  public internal(set) var insertions: [ResultIndexPath] = []
  /// By their place in the new list.
  public internal(set) var moves: [Move] = []
  public internal(set) var updates: [Update] = []

  public init() {}

  /// How many changes there are, of rows and of sections.
  public var count: Int {
    deletedSections.count + insertedSections.count + deletions.count + insertions.count
      + moves.count + updates.count
  }

  public var isEmpty: Bool { count == 0 }
}

extension ResultDifference {
  package init(from old: SectionedRows, to new: SectionedRows) {
    var comparison = ListComparison(old, new)
    comparison.compareRows()
    self = comparison.difference
  }
}
