import Foundation
import PlainSQLite
import TestSupport
import Testing

/// A folder with a filled store of the first of four model versions. The path to the last version has three legs
/// (inference, a definition, and inference), which contain all kinds of steps.
struct MigrationFolder {
  let samples: SampleFolder
  static let store = "parts.sqlite"
  static let model = "Parts.xcdatamodeld"

  /// - Parameter rows: the number of parts. The number of people is half of it.
  init(rows: Int, journal: StockFolder.JournalMode = .wal) throws {
    samples = try SampleFolder()
    for (index, content) in Self.versions.enumerated() {
      let name = index == 0 ? "Parts" : "Parts \(index + 1)"
      try samples.folder.write(
        "<?xml version=\"1.0\"?>\n<model>\(content)</model>\n",
        to: "\(Self.model)/\(name).xcdatamodel/contents")
    }
    try samples.folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>Parts 4.xcdatamodel</string></dict></plist>
      """, to: "\(Self.model)/.xccurrentversion")
    try samples.folder.write(Self.definition, to: "Migrations/Parts/Parts 2--Parts 3.xml")
    try samples.expect(
      "storetool create \(Self.store) --model \(Self.model) --model-version Parts")
    for file in Self.files {
      try samples.folder.write("the image \(file)", to: ".parts_SUPPORT/_EXTERNAL_DATA/\(file)")
    }
    let database = try PlainDatabase(path())
    try database.execute(Self.content(rows))
    try database.execute("PRAGMA journal_mode = \(journal.rawValue)")
    try database.close()
  }

  func path(_ name: String = store) -> String { samples.folder.path(name) }

  // MARK: Versions

  private static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
    #"<attribute name="\#(name)" optional="YES" attributeType="\#(type)" \#(more)/>"#
  }

  private static func relationship(
    _ name: String, _ destination: String, _ inverse: String, _ more: String = #"toMany="YES""#
  ) -> String {
    """
    <relationship name="\(name)" optional="YES" \(more) deletionRule="Nullify" \
    destinationEntity="\(destination)" inverseName="\(inverse)" inverseEntity="\(destination)"/>
    """
  }

  private static func entity(_ name: String, _ more: String = "", _ parts: String...) -> String {
    #"<entity name="\#(name)" \#(more)>\#(parts.joined())</entity>"#
  }

  private static let one = #"maxCount="1""#
  private static let code = #"<attribute name="code" attributeType="Integer 64"/>"#
  private static let image = attribute(
    "image", "Binary", #"allowsExternalBinaryDataStorage="YES""#)
  private static let tags = relationship("tags", "Tag", "parts")
  private static let parts = relationship("parts", "Part", "tags")
  private static let unique = """
    <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint>\
    </uniquenessConstraints>
    """

  private static let versions = [first, second, third, fourth]

  private static let first =
    entity(
      "Bin", "", attribute("label", "String"), relationship("parts", "Part", "bin"))
    + entity(
      "Part", "", code, image, attribute("name", "String", #"indexed="YES""#),
      attribute("note", "String"), relationship("bin", "Bin", "parts", one), tags)
    + entity("Person", "", attribute("kind", "String"), attribute("name", "String"))
    + entity("Tag", "", attribute("name", "String"), attribute("weight", "Integer 32"), parts)

  /// Changes: a new entity that precedes the others, a renamed entity, renamed properties, a default, a removal, and a
  /// type.
  private static let aisle = entity("Aisle", "", attribute("label", "String"))
  private static let crate = entity(
    "Crate", #"elementID="Bin""#, attribute("label", "String"),
    relationship("parts", "Part", "crate"))
  private static let part = entity(
    "Part", "", code, image,
    #"<attribute name="size" attributeType="Integer 16" defaultValueString="4"/>"#,
    attribute("title", "String", #"indexed="YES" elementID="name""#),
    relationship("crate", "Crate", "parts", one + #" elementID="bin""#), tags)
  private static let tag = entity(
    "Tag", "", attribute("name", "String"), attribute("weight", "Double"), parts)

  private static let second =
    aisle + crate + part
    + entity("Person", "", attribute("kind", "String"), attribute("name", "String")) + tag

  private static let third =
    aisle + crate + entity("Customer", "", attribute("name", "String"))
    + entity("Employee", "", attribute("name", "String")) + part + tag

  /// Changes: a column becomes a join table, and two indexes are created, one of them unique.
  private static let fourth =
    aisle
    + entity(
      "Crate", "", attribute("label", "String"), relationship("parts", "Part", "crates"))
    + entity("Customer", "", attribute("name", "String"), attribute("since", "Date"))
    + entity("Employee", "", attribute("name", "String"))
    + entity(
      "Part", "", code, image,
      #"<attribute name="size" attributeType="Integer 16" defaultValueString="4"/>"#,
      attribute("title", "String", #"indexed="YES""#),
      relationship("crates", "Crate", "parts", #"toMany="YES" elementID="crate""#), tags, unique)
    + entity(
      "Tag", "", attribute("name", "String", #"indexed="YES""#), attribute("weight", "Double"),
      parts)

  private static let definition = """
    <?xml version="1.0" encoding="UTF-8"?>
    <migration from="Parts 2" to="Parts 3">
      <entity name="Customer" source="Person" where="kind == 'c'"/>
      <entity name="Employee" source="Person" where="kind != 'c'"/>
      <drop entity="Person" property="kind"/>
      <sql when="before">UPDATE ZPERSON SET ZKIND = 'e' WHERE ZKIND IS NULL</sql>
      <sql when="after">UPDATE ZTAG SET ZNAME = upper(ZNAME); DELETE FROM ZAISLE</sql>
    </migration>

    """

  // MARK: Content

  private static let files = (0..<4).map { "0E984725-C51C-4BF4-9960-E1C80E27ABA\($0)" }

  private static func content(_ rows: Int) -> String {
    """
    BEGIN;
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, \
    ZCOLUMNS BLOB);
    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, \
    ZTIMESTAMP FLOAT);
    CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZNAME VARCHAR);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) \
    INSERT INTO ZPART (Z_PK, Z_ENT, Z_OPT, ZCODE, ZNAME, ZNOTE, ZBIN, ZIMAGE) \
    SELECT i, 2, 1, i, 'part ' || (i * 7919 % 10007) || hex(zeroblob(20)), 'note ' || i, \
    nullif(i % 10, 0), iif(i <= 4, CAST(x'02' || '\(files[0].dropLast())' || (i - 1) || x'00' AS BLOB), \
    CAST(x'01' || 'small ' || i AS BLOB)) FROM n;
    INSERT INTO ZBIN (Z_PK, Z_ENT, Z_OPT, ZLABEL) \
    SELECT Z_PK, 1, 1, 'bin ' || Z_PK FROM ZPART WHERE Z_PK < 10;
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZWEIGHT) \
    SELECT Z_PK, 4, 1, 'tag ' || Z_PK, Z_PK FROM ZPART WHERE Z_PK <= max(6, \(rows) / 4);
    INSERT INTO Z_2TAGS (Z_2PARTS, Z_4TAGS) SELECT Z_PK, 1 + Z_PK % 6 FROM ZPART;
    INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZKIND) \
    SELECT Z_PK, 3, 1, 'person ' || Z_PK, iif(Z_PK % 3, iif(Z_PK % 3 = 1, 'c', 'e'), NULL) \
    FROM ZPART WHERE Z_PK % 2;
    INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (1, 16002, 1, 7e8);
    INSERT INTO ACHANGE SELECT Z_PK, 16001, 1, 1, 2, Z_PK, 1, x'80' FROM ZPART WHERE Z_PK < 9;
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 8), (16002, 'TRANSACTION', 0, 1), \
    (16003, 'TRANSACTIONSTRING', 0, 0);
    UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows) WHERE Z_ENT < 16001;
    COMMIT;
    """
  }

  // MARK: Trying

  static let migrate = ["migrate", "--allow-loss", "Part.note"]

  /// Removes the copy and its files, and creates a new copy in its own folder.
  func copy() throws {
    let manager = FileManager.default
    if manager.fileExists(atPath: path("copy")) { try manager.removeItem(atPath: path("copy")) }
    try manager.createDirectory(atPath: path("copy"), withIntermediateDirectories: true)
    for name in [Self.store, ".parts_SUPPORT"] {
      try manager.copyItem(atPath: path(name), toPath: path("copy/\(name)"))
    }
  }

  static let copiedStore = "copy/\(store)"

  /// - Parameter more: additional arguments.
  func arguments(_ more: [String] = []) -> [String] {
    Self.migrate + more + ["--store", Self.copiedStore, "--model", Self.model]
  }

  /// Returns the kinds of all files beside the copy, without the random parts of their names.
  func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path("copy"))
      .filter { ![Self.store, ".parts_SUPPORT"].contains($0) }
      .map { name in
        let kinds = [".new": "draft", ".backup": "backup", "Z_SUPPORT": "files of the backup"]
        return kinds.first { name.hasSuffix($0.key) }?.value ?? name
      }.sorted()
  }

  /// Returns whether the file of the copy, apart from other files beside it, differs from the original.
  func isCopyTouched() throws -> Bool {
    try Data(contentsOf: URL(fileURLWithPath: path()))
      != Data(contentsOf: URL(fileURLWithPath: path(Self.copiedStore)))
  }

  /// Returns the name of the backup beside the copy, or nil without a backup.
  func backup() throws -> String? {
    try FileManager.default.contentsOfDirectory(atPath: path("copy"))
      .first { $0.hasSuffix(".backup") }
  }

  /// Returns the content of the store with its metadata and the files of large values, after checking it with `PRAGMA
  /// integrity_check`.
  func state(of name: String = copiedStore) throws -> StockFolder.State {
    let database = try PlainDatabase(path(name))
    var state = try StockFolder.State(database)
    let list = try PropertyListSerialization.propertyList(
      from: Data(database.bytes("SELECT Z_PLIST FROM Z_METADATA")), format: nil)
    let uuid = try database.text("SELECT Z_UUID FROM Z_METADATA") ?? ""
    try database.close()
    state.tables["Z_METADATA"] = "\(uuid) \(Self.text(list))"
    let folder = URL(fileURLWithPath: path(name)).deletingLastPathComponent()
      .appendingPathComponent(".parts_SUPPORT/_EXTERNAL_DATA")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      state.tables[file] = try String(
        contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
    }
    return state
  }

  /// The keys of a property list have no order, so they are sorted.
  private static func text(_ list: Any) -> String {
    switch list {
    case let keys as [String: Any]:
      keys.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }.joined(separator: ";")
    case let values as [Any]: values.map(text).joined(separator: ",")
    case let data as Data: data.base64EncodedString()
    default: "\(list)"
    }
  }
}
