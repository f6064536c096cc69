package import StoreDiagnostics
package import SQLiteAccess
package import StoreLayout
package import StoreModel
package import StoreVerification

/// Why a store was not migrated; it is as it was.
package enum MigrationRunError: Error, Hashable, Sendable {
  /// The target needs a name that something of an app's own has.
  case nameInTheWay(String, of: ForeignNames.Kind, holder: ForeignNames.Kind)
  /// The SQL of a definition is none for this store, in SQLite's words.
  case definitionSQL(String, Written<String>?)
  /// The SQL of a definition leaves references to missing rows, or required values empty.
  case brokenBySQL([Finding])
  /// A view or trigger of an app's own, in SQLite's words, would not hold any more.
  case dependent(String)
  /// Rows of several tables come together, and their keys are more than 64 bits hold.
  case keysRunOut(table: String)
  /// Rows stand in the way.
  case failedChecks([FailedCheck])
  case losses([Loss])
  /// A loss is allowed of what can't be lost.
  case unknownLoss(String, known: [String])
  /// In bytes.
  case noSpace(folder: FilePath, needed: Int64, free: Int64)
  /// Rows differ from what they were.
  case unproved([ProofDifference])
  /// The schema is not that of a fresh store.
  case schema([SchemaSnapshot.Difference])
  /// A statement failed.
  case step(purpose: String, DatabaseError)
  /// A statement failed because of what the store lacks or holds.
  case unfitStore(purpose: String, StoreLayoutError)
}

/// A check whose answer was not empty.
package struct FailedCheck: Hashable, Sendable {
  package var problem: MappingError
  package var count: Int
  /// The first ones: an object's ID and, where there is one, the value.
  package var offenders: [Offender]
  /// The loss that has to be allowed for them to do no harm.
  package var permission: String?
  /// The entity that the offenders are rows of, in the store as it is; nil where that is not known.
  package var source: String?
  /// `Z_PK` of the first ones.
  package var keys: [Int64] = []

  package struct Offender: Hashable, Sendable {
    package var id: String
    package var value: SQLiteValue?
    /// For rows that have to be unique: all values of the group, and the first rows of it.
    package var group: Group?

    package struct Group: Hashable, Sendable {
      package var values: [SQLiteValue]
      package var ids: [String]
      package var count: Int
    }
  }
}

/// What has no place in the target.
public struct Loss: Hashable, Sendable {
  /// `Item.note`, `Item.tags`, or `Item` for its rows.
  public internal(set) var name: String
  /// How many values, pairs or rows.
  public internal(set) var count: Int64
}

/// Rows or pairs that are not what they were.
package struct ProofDifference: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case rows(before: Int, after: Int)
    /// As many rows, but others.
    case keys
    case values(column: String, before: Int, after: Int)
    /// As many values, but others or elsewhere.
    case contents(column: String)
  }

  package var subject: String
  package var kind: Kind
}
