public import StorePredicate

/// New values for all rows of an entity that match, as a value: Core Data's `NSBatchUpdateRequest`.
///
///     BatchUpdate(entity: "Item", values: [.init("done", .value(.boolean(true)))])
public struct BatchUpdate: Hashable, Sendable {
  /// A property and what becomes of it.
  public struct Assignment: Hashable, Sendable {
    /// An attribute, an element of a composite (`address.city`), or a to-one relationship.
    public var property: String
    /// Over the row as it is before the update: `priority + 1`. For a to-one relationship an object ID, nil, or a key
    /// path that leads to an object.
    public var value: FormatExpression

    public init(_ property: String, _ value: FormatExpression) {
      self.property = property
      self.value = value
    }
  }

  public var entity: String
  public var values: [Assignment]
  /// Nil is every row.
  public var predicate: FormatPredicate?
  public var includesSubentities: Bool
  /// Whether values must satisfy the model's rules: required, minimum, maximum, length, regular
  /// expression. Core Data's own batch updates skip them.
  public var validates: Bool

  public init(
    entity: String, values: [Assignment], predicate: FormatPredicate? = nil,
    includesSubentities: Bool = true, validates: Bool = true
  ) {
    self.entity = entity
    self.values = values
    self.predicate = predicate
    self.includesSubentities = includesSubentities
    self.validates = validates
  }
}

/// What a batch update has done.
public struct UpdateResult: Hashable, Sendable {
  /// Rows that match the predicate.
  public var matched: Int
  /// Rows that held other values, and were rewritten.
  public var changed: Int
  /// By property: in how many rows a computed value replaced a value by NULL, because of a division by
  /// zero, a NULL operand or a function that has no result. Properties without such rows are left out.
  public var becameNull: [String: Int]

  public init(matched: Int, changed: Int, becameNull: [String: Int] = [:]) {
    self.matched = matched
    self.changed = changed
    self.becameNull = becameNull
  }
}
