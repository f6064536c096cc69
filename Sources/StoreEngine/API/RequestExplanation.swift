import SQLiteAccess
import StoreCore
public import StorePredicate

/// The SQL of a request, and how SQLite runs it. `PersistentStore.explain` creates it.
public struct RequestExplanation: Hashable, Sendable {
  /// A line of SQLite's query plan.
  public struct Step: Hashable, Sendable {
    /// The line, such as `SEARCH t0 USING INDEX ZITEM_ZLIST_INDEX (ZLIST=?)`.
    public var detail: String
    /// The number of enclosing steps.
    public var depth: Int
    /// The index of the store that the step uses. `nil` for a temporary index, the primary key or no index.
    public var index: String?
    /// Whether the step visits all rows of a table.
    public var isScan: Bool
  }

  /// An index of the model that the store doesn't have, and that SQLite would use.
  public struct MissingIndex: Hashable, Sendable {
    /// The name of the index.
    public var name: String
    /// The SQL table.
    public var table: String
    /// The statement that creates the index.
    public var statement: String
  }

  /// An index that isn't in the model. With it, SQLite would search a table of more than 10,000 rows instead of reading
  /// all its rows, or wouldn't have to sort.
  public struct AdvisedIndex: Hashable, Sendable {
    /// The entity of the attribute.
    public var entity: String
    /// The attribute to index.
    public var property: String
    /// The SQL table.
    public var table: String
  }

  /// The SQL with the parameters `?1`, `?2` and so on.
  public var sql: String
  /// The values of the parameters, in the types in which SQLite stores them: a date is a number of seconds since 2001,
  /// and a Boolean is 0 or 1.
  public var values: [DataValue]
  /// The lines of the query plan.
  public var steps: [Step]
  /// The used indexes without duplicates, in the order of the plan.
  public var indexes: [String]
  /// The indexes of the model that are missing in the store.
  public var missingIndexes: [MissingIndex]
  /// The indexes that would make the request faster. It is empty if indexes of the model are missing.
  public var advisedIndexes: [AdvisedIndex]
}

extension RequestExplanation: CustomStringConvertible {
  /// The SQL, followed by the lines of the plan, which are indented by depth.
  public var description: String {
    let lines = steps.map { String(repeating: "  ", count: $0.depth + 1) + $0.detail }
    return ([sql] + lines).joined(separator: "\n")
  }
}

extension RequestExplanation {
  init(_ explanation: Explanation) {
    self.init(
      sql: explanation.sql, values: explanation.parameters.map(DataValue.init(stored:)),
      steps: explanation.steps.map {
        Step(detail: $0.detail, depth: $0.depth, index: $0.index, isScan: $0.isScan)
      },
      indexes: explanation.indexes,
      missingIndexes: explanation.missing.map {
        MissingIndex(name: $0.name, table: $0.table, statement: $0.statement)
      },
      advisedIndexes: explanation.advised.map {
        AdvisedIndex(entity: $0.entity, property: $0.property, table: $0.table)
      })
  }
}

extension DataValue {
  /// The value in the type of its SQLite storage class.
  fileprivate init(stored value: SQLiteValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .double(number)
      case .text(let text): .string(text)
      case .blob(let bytes): .binary(bytes)
      }
  }
}
