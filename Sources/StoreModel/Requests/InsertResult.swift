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
