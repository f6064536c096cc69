import SQLiteAccess
import Testing

@testable import StoreLayout

/// Parses the names of columns and tables.
struct StoredNameTests {
  @Test(arguments: [
    ("ZNAME", StoredName.property("NAME")),
    ("ZNAME1", .property("NAME1")),
    ("Z_DKFOO__BAR", .property("_DKFOO__BAR")),
    ("Z2TAGS", .numbered(2, "TAGS")),
    ("Z10_OWNER", .numbered(10, "_OWNER")),
    ("Z_FOK_OWNER", .order("OWNER")),
    ("Z_FOK_2TAGS", .numberedOrder(2, "TAGS")),
  ])
  func aColumn(_ column: String, _ name: StoredName) {
    #expect(StoredName(column: column) == name)
  }

  @Test(arguments: ["Z_PK", "Z_ENT", "Z_OPT", "Z", "NAME", "name", "", "Z99999999999999999999X"])
  func noneOfAProperty(_ column: String) {
    #expect(StoredName(column: column) == nil)
  }

  @Test func aJoinTable() throws {
    let name = try #require(StoredName.join("Z_12TAGS"))
    #expect(name == (12, "TAGS"))
    #expect(StoredName.join("Z_PRIMARYKEY") == nil)
    #expect(StoredName.join("Z_12") == nil)
    #expect(StoredName.join("ZTAGS") == nil)
  }

  @Test func anIndexKeepsTheSpelling() throws {
    let plain = try #require(SchemaLabel.index("Z_Person_firstName", of: "Person"))
    #expect(plain == ("firstName", false))
    let unique = try #require(SchemaLabel.index("Z_Person_UNIQUE_a_b", of: "Person"))
    #expect(unique == ("a_b", true))
    #expect(SchemaLabel.index("Z_Personal_name", of: "Person") == nil)
    let key = DatabaseSchema.Index(
      name: "ZPERSON_ZTEAM_INDEX", parts: [.init(column: "ZTEAM")], definition: nil)
    #expect(SchemaLabel.isPlain(key, of: "ZTEAM"))
    #expect(!SchemaLabel.isPlain(key, of: "ZEAM"))
  }

  @Test func aTriggerKeepsTheSpelling() {
    let trigger = DatabaseSchema.Trigger(
      name: "Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_INCREMENT", table: "ZPAGE", definition: "")
    #expect(SchemaLabel.derivedAttribute(trigger, of: "Book") == "pagesCount")
    #expect(SchemaLabel.derivedAttribute(trigger, of: "Page") == nil)
  }
}
