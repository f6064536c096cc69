package import SQLiteAccess

/// An engine that runs SQLite's SQL, and how narrow it is.
package enum SQLDialect: String, Hashable, Sendable, CaseIterable {
  /// The `sqlite3` shell, or a program that runs a script on a connection of its own.
  case sqlite
  case rqlite
  /// Cloudflare D1.
  case d1
  /// libSQL's server, and Turso.
  case libsql

  /// What is known of an engine.
  package struct Facts: Hashable, Sendable {
    /// A script begins and ends its transaction itself. Where not, each statement stands for itself, on a connection
    /// that may be another one each time.
    package var takesTransactions: Bool
    package var restrictions: StatementRestrictions
    /// How all statements are sent as one transaction all the same.
    package var sending: String
  }

  /// The reference of the commands says where each is from.
  package var facts: Facts {
    switch self {
    case .sqlite:
      Facts(
        takesTransactions: true, restrictions: StatementRestrictions(),
        sending: "With sqlite3 -bail all of it is done, or nothing")
    case .rqlite:
      Facts(
        takesTransactions: false, restrictions: Self.oneByOne(.init()),
        sending: "With POST /db/execute?transaction all of it is done, or nothing")
    case .d1:
      Facts(
        takesTransactions: false,
        restrictions: Self.oneByOne(
          .init(
            statementBytes: 100_000, parameters: 100, columns: 100, functionArguments: 32,
            patternBytes: 50, compoundTerms: 5, valueBytes: 2_000_000)),
        sending: "With db.batch([…]) all of it is done, or nothing")
    case .libsql:
      Facts(
        takesTransactions: false, restrictions: Self.oneByOne(.init()),
        sending: "With client.batch([…], \"write\") all of it is done, or nothing")
    }
  }

  private static func oneByOne(
    _ limits: StatementRestrictions.Limits
  ) -> StatementRestrictions {
    StatementRestrictions(
      refused: Set(StatementRestrictions.Refused.allCases), limits: limits)
  }
}
