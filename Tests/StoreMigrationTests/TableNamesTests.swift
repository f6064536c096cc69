import Testing

@testable import StoreSQL
@testable import StoreMigration

struct TableNamesTests {
  private func renames(_ names: TableNames) throws -> [String] {
    try names.steps().map { $0.sql.rendered().text.replacing("ALTER TABLE ", with: "") }
  }

  @Test func aNameIsTakenWhenItIsFree() throws {
    var names = TableNames(existing: ["ZA", "ZB", "ZC"])
    names.rename("ZA", to: "ZB")
    names.rename("ZB", to: "ZC")
    names.free("ZC")
    #expect(try renames(names) == [#"ZB RENAME TO ZC"#, #"ZA RENAME TO ZB"#])
  }

  @Test func inACircleOneStepsAside() throws {
    var names = TableNames(existing: ["ZA", "ZB", "Z_OLD_ZA"])
    names.rename("ZA", to: "ZB")
    names.rename("ZB", to: "ZA")
    #expect(
      try renames(names) == [
        #"ZA RENAME TO Z_OLD_ZA_"#, #"ZB RENAME TO ZA"#, #"Z_OLD_ZA_ RENAME TO ZB"#,
      ])
  }

  /// An app's own table, however it writes its name.
  @Test func aTableOfNobodyIsInTheWay() {
    var names = TableNames(existing: ["zaisle", "ZA", "ZB"])
    #expect(names.new("ZAISLE") == "Z_NEW_ZAISLE")
    names.rename("ZA", to: "ZB")
    names.rename("ZB", to: "ZA")
    #expect(throws: MigrationError.tableInTheWay("ZAISLE")) { try names.steps() }
  }
}
