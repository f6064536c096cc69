/// Why a store was not compacted; but for `rowsDiffer` it is as it was.
package enum CompactionError: Error, Hashable, Sendable {
  /// SQLite can't write the file anew, in its words.
  case refused(words: String)
  /// The new file has other rows.
  case rowsDiffer(table: String, before: Int64?, after: Int64?)
}
