public import StorePredicate

/// A request that sets values of all matching rows of an entity, like Core Data's `NSBatchUpdateRequest`.
///
///     BatchUpdate(entity: "Item", values: [.init("done", .value(.boolean(true)))])
public struct BatchUpdate: Hashable, Sendable {
  /// A property and the expression for its new value.
  public struct Assignment: Hashable, Sendable {
    /// The name of an attribute, of an element of a composite (`address.city`), or of a to-one relationship.
    public var property: String
    /// An expression on the old values of the row, such as `priority + 1`. For a to-one relationship, it is an object
    /// ID, nil, or a key path that leads to an object.
    public var value: FormatExpression

    /// Creates an assignment.
    ///
    /// - Parameters:
    ///   - property: The name of an attribute, an element of a composite, or a to-one relationship.
    ///   - value: An expression on the old values of the row.
    public init(_ property: String, _ value: FormatExpression) {
      self.property = property
      self.value = value
    }
  }

  /// The name of the entity.
  public var entity: String
  /// The new values.
  public var values: [Assignment]
  /// The predicate of the rows to update. If it is nil, all rows are updated.
  public var predicate: FormatPredicate?
  /// Whether rows of sub-entities are updated, too.
  public var includesSubentities: Bool
  /// Whether values must satisfy the validation rules of the model. Core Data's batch updates don't check them.
  public var validates: Bool

  /// Creates a request that sets values. Each argument sets the property with the same name.
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

/// The result of a batch update.
public struct UpdateResult: Hashable, Sendable {
  /// The number of rows that match the predicate.
  public var matched: Int
  /// The number of matching rows whose values differed from the new ones. Only these rows were rewritten.
  public var changed: Int
  /// The number of rows in which a value was replaced by NULL, by the property's name. An expression is NULL after a
  /// division by zero, for a NULL in the expression, or for a function without a result. Properties without such rows
  /// are omitted.
  public var becameNull: [String: Int]

  /// Creates a result. Each argument sets the property with the same name.
  public init(matched: Int, changed: Int, becameNull: [String: Int] = [:]) {
    self.matched = matched
    self.changed = changed
    self.becameNull = becameNull
  }
}
