import Foundation
import PlainSQLite

/// A store that the program has created, and suitable commands for it.
struct Sample {
  var name: String
  /// The path relative to the folder of a case, like all paths of commands.
  var model: String
  var version: String?
  var entities: [String]
  /// The entity in commands, one of its attributes, and two texts for the attribute.
  var entity: String
  var attribute: String
  var value: String
  /// The path relative to the folder of the case.
  var data: String
  var importing: [String]

  static let store = "S.sqlite"

  static let all: [Sample] = [
    Sample(
      name: "People", model: "Models/People.xcdatamodeld", entities: ["Person", "City", "Group"],
      entity: "Person", attribute: "name", value: "Ray", data: "Models/Data/People.ndjson",
      importing: []),
    Sample(
      name: "League", model: "Models/League.xcdatamodeld", entities: ["Team", "Player"],
      entity: "Team", attribute: "name", value: "New", data: "Models/Data/League.json",
      importing: ["--entity", "Team"]),
    Sample(
      name: "Company", model: "Models/Company.xcdatamodeld",
      entities: ["Department", "Employee", "Manager"], entity: "Employee", attribute: "name",
      value: "Ann", data: "Models/Data/Company.json", importing: ["--entity", "Department"]),
    Sample(
      name: "Journal", model: "Models/Journal.xcdatamodeld", version: "Journal",
      entities: ["Entry", "Draft", "Tag"], entity: "Tag", attribute: "name", value: "sea",
      data: "Models/Data/Journal.ndjson", importing: []),
    Sample(
      name: "Workshop", model: "Models/Workshop.xcdatamodeld",
      entities: ["Badge", "Maker", "Master", "Tool", "Drawer"], entity: "Tool",
      attribute: "name", value: "saw", data: "Models/Data/Workshop.ndjson", importing: []),
  ]

  static let workshop = """
    {"$entity": "Maker", "name": "Ann", "badge": {"number": 1}, "tools": [{"name": "saw"}, {"name": "axe", "drawers": [{"name": "a"}, {"name": "b", "near": [{"name": "c"}]}]}], "drawers": [{"name": "d"}]}
    {"$entity": "Master", "name": "Bo", "since": "2020-01-01", "tools": [{"name": "file", "price": 1.5}]}

    """

  /// Creates a folder `<name>` for every sample, with a store `S.sqlite` and the models, and a folder `<name>-history`,
  /// whose store has a history and a rollback journal.
  static func makeAll(_ options: Options) throws {
    let files = FileManager.default
    for sample in all {
      let folder = "\(options.folder)/\(sample.name)"
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try files.copyItem(atPath: "\(options.root)/Models", toPath: "\(folder)/Models")
      try files.copyItem(
        atPath: "\(options.root)/Tests/StoreFuzz/Models/Workshop.xcdatamodeld",
        toPath: "\(folder)/Models/Workshop.xcdatamodeld")
      try workshop.write(
        toFile: "\(folder)/Models/Data/Workshop.ndjson", atomically: true, encoding: .utf8)
      let version = sample.version.map { ["--model-version", $0] } ?? []
      try require(["create", store, "--model", sample.model] + version, folder, options)
      let importing = ["import", sample.data, "--store", store, "--model", sample.model]
      // The UUID of the store must be the same for two searches with the same seed.
      try edit(
        "\(folder)/\(store)",
        "UPDATE Z_METADATA SET Z_UUID = '00000000-0000-4000-8000-000000000000'")
      try require(importing + sample.importing, folder, options)
      try files.copyItem(atPath: folder, toPath: folder + "-history")
      try edit("\(folder)-history/\(store)", "PRAGMA journal_mode = DELETE; " + history)
      try require(
        ["insert", sample.entity, "\(sample.attribute)=\(sample.value) 2"] + sample.named,
        folder + "-history", options)
    }
  }

  private static func require(_ words: [String], _ folder: String, _ options: Options) throws {
    let trial = try Trial(words, binary: options.binary, in: folder)
    guard trial.status == 0, trial.signal == 0 else {
      throw TrialError.sample("\(words.joined(separator: " ")): \(trial.errors)")
    }
  }

  /// Runs SQL as another program.
  static func edit(_ path: String, _ sql: String) throws {
    try PlainDatabase(path).execute(sql)
  }

  var named: [String] { ["--store", Self.store, "--model", model] }

  private static let history = """
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER,
      ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB);
    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER,
      ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR,
      ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB);
    CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC);
    """
}
