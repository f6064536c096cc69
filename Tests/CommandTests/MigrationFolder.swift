import Foundation
import GRDB
import TestSupport
import Testing

/// A folder with a filled store of the first of two model versions: rows are rebuilt on the way to
/// the second one, indexes made, entity numbers moved.
struct MigrationFolder {
  let samples: SampleFolder
  static let store = "parts.sqlite"
  static let model = "Parts.xcdatamodeld"

  init(rows: Int = 20_000) throws {
    samples = try SampleFolder()
    for (version, content) in [("Parts", Self.old), ("Parts 2", Self.new)] {
      try samples.folder.write(
        "<?xml version=\"1.0\"?>\n<model>\(content)</model>\n",
        to: "\(Self.model)/\(version).xcdatamodel/contents")
    }
    try samples.folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>Parts 2.xcdatamodel</string></dict></plist>
      """, to: "\(Self.model)/.xccurrentversion")
    try samples.expect(
      "storetool create \(Self.store) --model \(Self.model) --model-version Parts")
    let queue = try DatabaseQueue(path: path())
    try queue.writeWithoutTransaction { database in
      try database.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) \
          INSERT INTO ZPART (Z_PK, Z_ENT, Z_OPT, ZCODE, ZNAME, ZNOTE) \
          SELECT i, 1, 1, i, 'part ' || (i * 7919 % 10007), 'note ' || i FROM n;
          UPDATE Z_PRIMARYKEY SET Z_MAX = \(rows)
          """)
    }
    try queue.close()
  }

  private static let old = """
    <entity name="Part"><attribute name="code" attributeType="Integer 64"/>
    <attribute name="name" attributeType="String" optional="YES" indexed="YES"/>
    <attribute name="note" attributeType="String" optional="YES"/></entity>
    """
  private static let new = """
    <entity name="Bin"><attribute name="label" attributeType="String" optional="YES"/></entity>
    <entity name="Part"><attribute name="code" attributeType="String"/>
    <attribute name="size" attributeType="Integer 16" defaultValueString="4"/>
    <attribute name="title" attributeType="String" optional="YES" indexed="YES" elementID="name"/>
    </entity>
    """

  static let migrate = ["migrate", "--allow-loss", "Part.note"]

  func path(_ name: String = store) -> String { samples.folder.path(name) }

  /// Removes the copy and all that was made from it, and makes it anew.
  func copy() throws {
    let manager = FileManager.default
    for name in try manager.contentsOfDirectory(atPath: samples.folder.url.path)
    where name.hasPrefix("copy") { try manager.removeItem(atPath: path(name)) }
    try manager.copyItem(atPath: path(), toPath: path("copy.sqlite"))
  }

  /// All but the metadata, whose property list has no order of its keys; `PRAGMA integrity_check`
  /// is looked at on the way.
  func state(of name: String = "copy.sqlite") throws -> StockFolder.State {
    let queue = try DatabaseQueue(path: path(name))
    defer { try? queue.close() }
    var state = try queue.writeWithoutTransaction { try StockFolder.State($0) }
    state.tables["Z_METADATA"] = nil
    return state
  }

  /// Which version the store says it is of: 0 for the target, 1 for the source.
  func pending() throws -> Int32 {
    try samples.shell.run(
      "storetool migrate --check --store copy.sqlite --model \(Self.model)"
    ).status
  }
}
