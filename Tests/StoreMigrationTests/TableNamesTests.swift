import Testing

@testable import SQLiteAccess
@testable import StoreMigration

struct TableNamesTests {
  private func renames(_ names: TableNames) -> [String] {
    names.steps.map { $0.sql.rendered().text.replacing("ALTER TABLE ", with: "") }
  }

  @Test func aNameIsTakenWhenItIsFree() {
    var names = TableNames(existing: ["ZA", "ZB", "ZC"])
    names.rename("ZA", to: "ZB")
    names.rename("ZB", to: "ZC")
    names.free("ZC")
    #expect(renames(names) == [#"ZB RENAME TO ZC"#, #"ZA RENAME TO ZB"#])
  }

  @Test func inACircleOneStepsAside() {
    var names = TableNames(existing: ["ZA", "ZB", "Z_OLD_ZA"])
    names.rename("ZA", to: "ZB")
    names.rename("ZB", to: "ZA")
    #expect(
      renames(names) == [
        #"ZA RENAME TO Z_OLD_ZA_"#, #"ZB RENAME TO ZA"#, #"Z_OLD_ZA_ RENAME TO ZB"#,
      ])
  }
}
