@testable import storetool

extension HouseRule {
  /// All rules, with their exceptions. The docs and CONTRIBUTING.md explain the rules.
  static let all = [
    HouseRule(
      "only the command line names options",
      forbids: #"(^|[^\w-])--[a-z]"#, in: [.literal, .documentation],
      room: ["storetool"]),
    HouseRule(
      "only the command line names commands",
      forbids: "storetool (\(commands.joined(separator: "|")))\\b", in: [.literal],
      room: ["storetool"],
      exceptions: [
        "VersionLock.swift": "the file's header names the commands that use it",
        "RequestGuard.swift": "the error page names the command that prints the address",
      ]),
    HouseRule(
      "only the layout names Core Data's tables and columns",
      forbids: #"\bZ_[A-Z]"#, in: [.literal],
      room: ["StoreLayout"],
      exceptions: [
        "TableNames.swift": "temporary names of a migration, in Core Data's style",
        "StoreFinding.swift": "sentences for users",
        "MigrationRunError.swift": "a sentence for users",
        "StoreDescription+Remark.swift": "sentences for users",
        "Store.swift": "a sentence for users",
        "Deletion.swift": "names for users",
      ]),
    HouseRule(
      "one reader of a database's schema",
      forbids: #"sqlite_master|sqlite_schema|pragma_(table|index)"#, in: [.literal],
      room: ["SQLiteAccess"],
      exceptions: [
        "Explanation.swift": "ANALYZE of the schema table reloads the statistics"
      ]),
    HouseRule(
      "no error is dropped",
      forbids: #"\btry\?"#, in: [.code],
      exceptions: [
        "TextMatching.swift": "checks whether a pattern is valid; Foundation throws if it isn't",
        "Storetool.swift": "the root command parses the arguments again and reports the error",
      ]),
    HouseRule(
      "an output that can't be written is an error",
      forbids: #"\bTerminal\.out\.(write|send)\b"#, in: [.code],
      exceptions: [
        "PageKeysCommand.swift": "progress: writing the next keys reports a closed output"
      ]),
    HouseRule(
      "a path keeps its bytes",
      forbids: #"\bFileManager\b|\bURL\(file(Path|URLWithPath)|\bCommandLine\.arguments\b"#,
      in: [.code],
      exceptions: ["FileLocation.swift": "url: the paths of the Swift API are text"]),
    HouseRule(
      "the system receives a path from a LocalPath",
      forbids:
        #"(^|[^\w.])(l?stat|statvfs|mkdir|rmdir|unlink|realpath|opendir|access)\((?![$)])"#,
      in: [.code]),
    HouseRule(
      "one function for the kind of a file",
      forbids: #"\bS_IF[A-Z]+\b|\bisDirectory:"#, in: [.code],
      room: ["SystemCalls.swift"]),
    HouseRule(
      "the path of a file isn't a String",
      forbids: #"(^|[^\[\w])(?!\w*[kK]eyPath)\w*([pP]ath: String\b|[pP]aths: \[String\])"#,
      in: [.code],
      exceptions: HouseRule.pathsAsText),
    HouseRule(
      "Apple's SQLite is defensive: its schema can't be written",
      forbids: #"\bwritable_schema\b"#, in: [.literal]),
    HouseRule(
      "one file opens, reads, writes, syncs and closes files and has the errors of the system",
      forbids: HouseRule.systemCalls, in: [.code],
      room: ["SystemCalls.swift"],
      exceptions: [
        "LocalPath+Content.swift": "readdir only reports an error through errno",
        "OpeningPage.swift": "mkstemps finds an unused name",
        "PageServer.swift": "NIO's errors contain the errno",
      ]),
    HouseRule(
      "one type starts processes",
      forbids:
        #"\bposix_spawnp?\b|\bv?fork\(|\bexecv[pe]*\(|\bProcess\(\)|\bimport Subprocess\b|\bpopen\("#,
      in: [.code],
      room: ["ChildProcess.swift"]),
    HouseRule(
      "no input ends the process",
      forbids: #"\btry!|\bas!|\bfatalError\b"#, in: [.code]),
    HouseRule(
      "errors, issues and results have the usual names",
      forbids:
        #"\b(struct|enum|class|actor|protocol|typealias)\s+\w*(Outcome|Fault|Problem|Mistake|Failure)\b"#,
      in: [.code]),
    HouseRule(
      "only the reader of XML imports libxml2",
      forbids: #"\bimport CLibXML2\b"#, in: [.code],
      room: ["StoreModelReader/XML"]),
    HouseRule(
      "only StoreLayout/Hashing imports a library for hashes",
      forbids: #"\bimport (CMessageDigest|CryptoKit|Crypto)\b"#, in: [.code],
      room: ["StoreLayout/Hashing"]),
    HouseRule(
      "only the reader of carried models imports zlib",
      forbids: #"\bimport CZLib\b"#, in: [.code],
      room: ["StoreLayout/Metadata"]),
    HouseRule(
      "only the access to SQLite imports it",
      forbids: #"\bimport (CSQLite|SQLite3|GRDB)\b"#, in: [.code],
      room: ["SQLiteAccess"],
      exceptions: [
        "AggregateFunctions.swift": "SQLite allocates the state of a group",
        "RowScanner.swift": "a row's values are hashed in SQLite's memory",
      ]),
    HouseRule(
      "names that Swift treats as equal don't crash the process",
      forbids: #"\buniqueKeysWithValues\b"#, in: [.code],
      exceptions: [
        "ComparisonTable.swift": "keys are letters of the predicate language",
        "DestinationFinder.swift": "keys are numbers",
        "EntityForest.swift": "keys are numbers",
        "HistoryLog.swift": "keys are kinds of changes",
        "Keyword.swift": "keys are words of the language",
        "ListComparison.swift": "keys are positions and object IDs",
        "ModelDiagram.swift": "keys are positions",
        "Token.swift": "keys are symbols of the language",
      ]),
    HouseRule(
      "where versions, stores and files meet, names are compared byte by byte",
      forbids:
        #"[!=]= ?\$?\w+[?!]?\.(name|source|target|text)\b(?!\.)|\.(name|source|target|text)\)? [!=]= ?(?!nil\b)[a-z$]|\bSet\([^)]*\.map\(\\\.name\)\)"#,
      in: [.code],
      within: HouseRule.meetingPlaces,
      exceptions: HouseRule.namesOfOneOwner),
  ]

  private static let commands = CommandRow.root.subcommands.map(\.name)

  /// Calls of the system with their usual arguments, and names for handling their results.
  private static let systemCalls = [
    #"\b(openat|creat|mkstemps?|fstat(at)?|f(data)?sync|flock|poll|dup[23]?)\("#,
    #"\bopen\([^)]*\bO_"#, #"(^|[^\w.])p?(read|write)v?\(([^():]+, ){2,3}[^():]+\)"#,
    #"(^|[^\w.])close\(\w+\)"#, #"\b(errno|EINTR|strerror|O_CLOEXEC|stat\(\)|st_\w+)"#,
  ].joined(separator: "|")

  private static let pathsAsText = [
    "StoreEngine/API": "the Swift API takes text, whose UTF-8 is the path",
    "StoreVerification/API": "the Swift API takes text, whose UTF-8 is the path",
    "ModelBundle+Discovery.swift": "the Swift API takes text, whose UTF-8 is the path",
    "VersionReadings.swift": "the Swift API takes text, whose UTF-8 is the path",
    "StoreObservation": "the path of a store in logs, from the Swift API",
    "ByteSource.swift": "the form for people, in an error",
    "DiagnosticRemedy.swift": "the form for people, in a sentence",
    "RequestGuard.swift": "paths of URLs",
    "DefinitionChecker+Properties.swift": "paths of properties",
    "FactWriter.swift": "paths of columns",
    "FindingWriter.swift": "the form for services, in a report",
    "PageRowsCommand.swift": "paths of columns",
    "PersistentModelEmitter.swift": "paths of properties",
    "CompletionKind+Model.swift": "paths of properties",
    "ResolvedKeyPath.swift": "paths of properties",
    "SQLContext.swift": "paths of properties",
    "StoreAnonymization/Rules": "paths of properties",
    "StoreFacts.swift": "paths of parts of a model",
    "StoreMigration/Mapping": "paths of properties",
  ]

  /// Folders and files whose code handles names of two versions, stores or files at a time.
  private static let meetingPlaces = [
    "StoreMigration/Pairing", "StoreMigration/Diff", "ModelTools/Merging/Merge",
    "StoreModelReader/Lock", "StoreLayout/Metadata", "StoreModel/Migration",
    "StoreLayout/SchemaSnapshot.swift", "StoreLayout/SchemaSnapshot.swift",
    "SQLiteAccess/Schema", "StoreMigration/Plan/TableNames.swift",
    "StoreMigration/Plan/TableNames.swift", "StoreMigration/Plan/IndexPlan.swift",
    "StoreMigration/Plan/ForeignNames.swift", "StoreAnonymization/Run/OtherContent.swift",
    "StoreComparison/ComparisonPlan.swift", "storetool/Migrate", "storetool/Model/Check",
  ]

  private static let namesOfOneOwner = [
    "AttributeMerge.swift": "names of XML attributes, which are ASCII",
    "MigrationMatrix.swift": "pairs of versions of one bundle",
    "RenamedNames.swift": "names of XML elements, which are ASCII",
    "TreeMerge.swift": "names of XML attributes, which are ASCII",
  ]
}
