import RecordFormats

/// The result of a command, in a form that every output format can show.
enum Facts {
  /// Records of one kind. The columns are named for the case that there are none.
  case records(columns: [String], [any Encodable])
  /// One object with facts of several kinds.
  case page(any Encodable)

  /// Whether there are no records.
  var isEmpty: Bool {
    if case .records(_, let records) = self { records.isEmpty } else { false }
  }
}
