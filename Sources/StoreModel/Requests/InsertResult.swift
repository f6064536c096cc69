/// What a batch insert has done with its records.
public struct InsertResult: Hashable, Sendable {
  /// New rows.
  public var inserted: Int
  /// Rows that were there and took values of a record.
  public var updated: Int
  /// Records that changed nothing: left out, or equal to the row that was there.
  public var unchanged: Int
  /// Decimals in a text that a Double, which is what the store keeps, could not hold exactly.
  public var roundedDecimals: Int

  /// New rows of records without all values of the chosen key, so that no row was searched for.
  public var withoutKeyValue: Int

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

/// What becomes of a record whose row would break a uniqueness constraint.
public enum ConflictPolicy: String, Hashable, Sendable, CaseIterable {
  /// Nothing is written.
  case fail
  /// The record is left out.
  case ignore
  /// The row that is there takes the values that the record gives.
  case update
}

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

/// How far a batch request has come.
public struct BatchProgress: Hashable, Sendable {
  /// Rows changed or deleted, or records read, so far.
  public var rows: Int
  /// How many there will be at the end, at most; nil where nobody knows beforehand.
  public var total: Int?

  public init(rows: Int, total: Int? = nil) {
    self.rows = rows
    self.total = total
  }
}
