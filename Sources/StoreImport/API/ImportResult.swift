/// The result of an import, with counts of values and links that weren't written as specified.
public struct ImportResult: Hashable, Sendable {
  /// The number of records that were read.
  public var records: Int
  /// The numbers of new rows by entity.
  public var inserted: [String: Int]
  /// The numbers of existing rows with changed values, by entity.
  public var updated: [String: Int] = [:]
  /// The numbers of existing rows whose relationships changed but whose values didn't, by entity. Records of other
  /// rows can also change a row's relationships.
  public var relinked: [String: Int] = [:]
  /// The number of existing rows in the input that didn't change.
  public var unchanged = 0
  /// The numbers of lists, by `Entity.relationship`, that weren't fully applied to an existing row. Their new members
  /// were added, but existing members that the lists omit or reorder stayed as they were.
  public var unappliedLists: [String: Int] = [:]
  /// The numbers of rows that several objects link to, although the model allows one, by the destination entity of the
  /// relationship.
  public var contested: [String: Int] = [:]
  /// The numbers of omitted references to missing rows, by `Entity.relationship`.
  public var skippedLinks: [String: Int] = [:]
  /// The numbers of `null` elements in the arrays of to-many relationships, by `Entity.relationship`.
  public var nullMembers: [String: Int] = [:]
  /// The counts of dates that may have been misread, by `Entity.attribute`.
  public var dates: [String: DateCounts] = [:]
  /// The numbers of occurrences of JSON keys without a property, by path.
  public var ignored: [String: Int]
  /// The number of decimals that a Double can't represent exactly.
  public var roundedDecimals: Int
  /// The numbers of new rows of entities that had rows before the import but don't have an import key, by entity.
  /// Duplicates of existing rows among them weren't detected. Empty if the policy is `.fail`.
  public var withoutKey: [String: Int] = [:]
  /// The numbers of new rows that weren't compared with existing rows although their entity has an import key and had
  /// rows before the import, by entity. The key had no value, for example. Empty if the policy is
  /// `.fail`.
  public var withoutKeyValue: [String: Int] = [:]
  /// By entity, the numbers of objects whose `$id` is an object ID of this store but doesn't identify a row, usually
  /// because the row was deleted.
  public var renamed: [String: Int] = [:]
}
