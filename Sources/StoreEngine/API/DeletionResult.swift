import StoreCore
/// What a batch delete has done, or would do.
public struct DeletionResult: Hashable, Sendable {
  /// Rows deleted, by entity: those that matched and those that Cascade led to.
  public var deleted: [String: Int]
  /// References of rows that stay and that became nil, and memberships that ended, by relationship:
  /// `Item.list`.
  public var nullified: [String: Int]
  /// References that lead to no row now, by relationship: of the rule No Action, or without rules.
  public var dangling: [String: Int]
  /// Files of deleted values that lay beside the store and were removed.
  public var files: Int
  /// Names of such files that could not be removed; the rows are gone all the same.
  public var filesLeft: [String]

  /// Rows deleted, of all entities together.
  public var deletedCount: Int { deleted.values.reduce(0, +) }

  public init(
    deleted: [String: Int], nullified: [String: Int] = [:], dangling: [String: Int] = [:],
    files: Int = 0, filesLeft: [String] = []
  ) {
    self.deleted = deleted
    self.nullified = nullified
    self.dangling = dangling
    self.files = files
    self.filesLeft = filesLeft
  }

  init(_ report: Store.DeletionReport) {
    self.init(
      deleted: report.findings.deleted, nullified: report.findings.nullified,
      dangling: report.findings.dangling, files: report.files, filesLeft: report.filesLeft)
  }
}
