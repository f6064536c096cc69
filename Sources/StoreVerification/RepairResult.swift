/// The result of a repair, or of its dry run.
public struct RepairResult: Hashable, Sendable {
  /// The findings that were repaired. For a dry run, the findings that a repair would repair.
  public package(set) var repaired: [StoreFinding] = []
  /// The findings that a repair can't fix without loss, except orphaned files, which are in the following properties.
  public package(set) var remaining: [StoreFinding] = []
  /// The names of orphaned files that remain because they are less than an hour old, or because their age is unknown.
  /// They may belong to an unfinished write of an app.
  public package(set) var youngFiles: [String] = []
  /// The names of orphaned files that remain because they may belong to values whose files are missing.
  public package(set) var doubtfulFiles: [String] = []
  /// The names of orphaned files that couldn't be removed. This doesn't affect the rest of the repair.
  public package(set) var undeletableFiles: [String] = []

  package init(
    repaired: [StoreFinding] = [], remaining: [StoreFinding] = [], youngFiles: [String] = [],
    doubtfulFiles: [String] = [], undeletableFiles: [String] = []
  ) {
    self.repaired = repaired
    self.remaining = remaining
    self.youngFiles = youngFiles
    self.doubtfulFiles = doubtfulFiles
    self.undeletableFiles = undeletableFiles
  }
}
