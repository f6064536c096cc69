/// What compacting a store has done, or would do.
package struct CompactionResult: Hashable, Sendable {
  /// Of the file and its `-wal`, as the one below.
  package var bytesBefore: Int64
  /// Nil where nothing was done.
  package var bytesAfter: Int64?
  /// Of pages that nothing is in; pages that are partly empty come to that.
  package var freeBytes: Int64
  /// What the disks must have room for.
  package var needs: [DiskNeed] = []
  /// Files beside the store that belong to no row.
  package var orphanFiles: [String] = []
  /// Files of no row that a program may be about to write one for.
  package var youngFiles: [String] = []
  /// Files of no row that may be those which other values miss.
  package var doubtfulFiles: [String] = []
  package var removedFiles: [String] = []
  /// Those that could not be removed.
  package var filesLeft: [String] = []
}
