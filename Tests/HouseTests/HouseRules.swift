extension HouseRule {
  /// Each with its room and the exceptions that remain; docs and CONTRIBUTING.md say why the rules are.
  static let all = [
    HouseRule(
      "only the command line names options",
      forbids: #"(^|[^\w-])--[a-z]"#, in: [.literal, .documentation],
      room: ["storetool"]),
    HouseRule(
      "only the command line names commands",
      forbids:
        #"storetool (create|info|anonymize|compact|history|verify|migrate|templates|apply-template|fetch|explain|insert|batch-\w+|import|export|model|predicate|generate)\b"#,
      in: [.literal],
      room: ["storetool"],
      exceptions: ["VersionLock.swift": "the file tells who reads it who writes it"]),
    HouseRule(
      "only the layout names Core Data's tables and columns",
      forbids: #"\bZ_[A-Z]"#, in: [.literal],
      room: ["StoreLayout"],
      exceptions: [
        "ScratchName.swift": "names of a migration's own, in its manner",
        "Finding+Diagnostic.swift": "sentences for people",
        "MigrationError+Diagnostic.swift": "a sentence for people",
        "Remark.swift": "sentences for people",
        "Store.swift": "a sentence for people",
        "KeyAllocator.swift": "a sentence for people",
        "ObjectIDs.swift": "a name for people",
        "Deletion.swift": "names for people",
      ]),
    HouseRule(
      "one reader of a database's schema",
      forbids: #"sqlite_master|sqlite_schema|pragma_(table|index)"#, in: [.literal],
      room: ["SQLiteAccess"],
      exceptions: [
        "IndexPlan.swift": "writes to the schema, since SQLite has no ALTER INDEX",
        "Explanation+MissingIndexes.swift": "ANALYZE of it reads the statistics again",
      ]),
    HouseRule(
      "no error is dropped",
      forbids: #"\btry\?"#, in: [.code],
      exceptions: [
        "ModelBundle+Discovery.swift": "asks whether a file is a link; Foundation's answer throws",
        "TextMatching.swift": "asks whether a pattern is one; Foundation's answer throws",
        "MigrationMatrix.swift": "removes a temporary folder",
        "Storetool.swift": "what a command can't read, the root reads again and says why",
      ]),
    HouseRule(
      "no input ends the process",
      forbids: #"\btry!|\bas!|\bfatalError\b"#, in: [.code]),
    HouseRule(
      "only the reader of XML imports libxml2",
      forbids: #"\bimport CLibXML2\b"#, in: [.code],
      room: ["StoreModelReader/XML"]),
    HouseRule(
      "only ModelHashing imports a library for hashes",
      forbids: #"\bimport (CMessageDigest|CryptoKit|Crypto)\b"#, in: [.code],
      room: ["ModelHashing"]),
    HouseRule(
      "only the reader of carried models imports zlib",
      forbids: #"\bimport CZLib\b"#, in: [.code],
      room: ["StoreLayout/Metadata"]),
    HouseRule(
      "only the access to SQLite imports it",
      forbids: #"\bimport (CSQLite|SQLite3|GRDB)\b"#, in: [.code],
      room: ["SQLiteAccess"],
      exceptions: [
        "AggregateFunctions.swift": "the state of a group lies in SQLite's own memory",
        "RowScanner.swift": "a row's values are mixed where SQLite holds them",
      ]),
  ]
}
