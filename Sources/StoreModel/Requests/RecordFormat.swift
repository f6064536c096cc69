/// The text formats of flat records.
public enum RecordFormat: String, Hashable, Sendable, CaseIterable {
  /// NDJSON, that is objects one after the other, or one array of them.
  case json
  /// Records below a header that names the properties. Fields are separated by the delimiter that the
  /// header has most often: comma, semicolon or tab.
  case csv
  /// CSV with tabs between fields, and `\t`, `\n`, `\r` and `\\` in them.
  case tsv
}
