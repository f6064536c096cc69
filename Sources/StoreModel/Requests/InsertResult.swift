/// The result of a batch insert.
public struct InsertResult: Hashable, Sendable {
  /// The number of new rows.
  public var inserted: Int
  /// The number of existing rows that were updated with values of a record.
  public var updated: Int
  /// The number of records without an effect: they were ignored, or are equal to an existing row.
  public var unchanged: Int
  /// The number of Decimal values that were rounded, because they have more digits than the Double in the store.
  public var roundedDecimals: Int

  /// The number of rows that were inserted without a search for an existing row, because the record has no value for at
  /// least one attribute of the key that the caller specified.
  public var withoutKeyValue: Int

  /// Creates a result. Each argument sets the property with the same name.
  public init(
    inserted: Int, updated: Int = 0, unchanged: Int = 0, roundedDecimals: Int = 0,
    withoutKeyValue: Int = 0
  ) {
    self.withoutKeyValue = withoutKeyValue
    self.inserted = inserted
    self.updated = updated
    self.unchanged = unchanged
    self.roundedDecimals = roundedDecimals
  }
}

/// The treatment of a record that violates a uniqueness constraint.
public enum ConflictPolicy: String, Hashable, Sendable, CaseIterable {
  /// The insert fails, and the store remains unchanged.
  case fail
  /// The record is ignored.
  case ignore
  /// The existing row is updated with the values of the record.
  case update
}

/// The text formats of flat records.
public enum RecordFormat: String, Hashable, Sendable, CaseIterable {
  /// A sequence of JSON objects (NDJSON), or one JSON array of objects.
  case json
  /// Records after a header with the names of the properties. The delimiter is the most frequent one in the header:
  /// comma, semicolon or tab.
  case csv
  /// CSV with tabs as delimiters, and with `\t`, `\n`, `\r` and `\\` as escapes in fields.
  case tsv
}

/// The progress of a batch request.
public struct BatchProgress: Hashable, Sendable {
  /// The number of rows that were changed or deleted, or of records that were read.
  public var rows: Int
  /// The final value of `rows`, or an upper limit of it. Nil if it isn't known.
  public var total: Int?

  /// Creates a progress value. Each argument sets the property with the same name.
  public init(rows: Int, total: Int? = nil) {
    self.rows = rows
    self.total = total
  }
}
