import StoreMigration
import StoreModel
import Testing

@Suite struct MigrationPathTests {
  private let versions = ["App", "App 2", "App 3", "App 9", "App 10"]

  private func path(
    _ from: String, _ to: String, _ definitions: (String, String)...
  ) throws -> [MigrationPath.Leg] {
    try MigrationPath(
      from: from, to: to, in: versions,
      definitions: definitions.map { VersionJump(from: $0.0, to: $0.1) }
    ).legs
  }

  private func custom(_ from: String, _ to: String) -> MigrationPath.Leg {
    .custom(VersionJump(from: from, to: to))
  }

  private func inferred(_ from: String, _ to: String) -> MigrationPath.Leg {
    .inferred(VersionJump(from: from, to: to))
  }

  @Test func theWayIsStraight() throws {
    #expect(try path("App", "App 10") == [inferred("App", "App 10")])
    #expect(try path("App 3", "App 3") == [])
  }

  @Test func olderVersionsAreReachedBackwards() throws {
    #expect(try path("App 9", "App 2") == [inferred("App 9", "App 2")])
    // A definition applies in one direction only.
    #expect(try path("App 3", "App", ("App 2", "App 3")) == [inferred("App 3", "App")])
    #expect(
      try path("App 3", "App", ("App 2", "App"))
        == [inferred("App 3", "App 2"), custom("App 2", "App")])
  }

  @Test func definitionsStayInTheirOrder() throws {
    #expect(
      try path("App", "App 10", ("App 9", "App 10"), ("App 2", "App 3")) == [
        inferred("App", "App 2"), custom("App 2", "App 3"), inferred("App 3", "App 9"),
        custom("App 9", "App 10"),
      ])
  }

  @Test func aDefinitionMaySkipVersions() throws {
    #expect(
      try path("App", "App 10", ("App 2", "App 9"), ("App 2", "App 3"), ("App 3", "App 9"))
        == [inferred("App", "App 2"), custom("App 2", "App 9"), inferred("App 9", "App 10")])
    // From a version that this definition skips, the other definitions are required.
    #expect(
      try path("App 3", "App 9", ("App 2", "App 9"), ("App 3", "App 9"))
        == [custom("App 3", "App 9")])
    #expect(try path("App", "App 3", ("App", "App 9")) == [inferred("App", "App 3")])
  }

  @Test func theUserChoosesTheWay() throws {
    func path(_ via: String...) throws -> [MigrationPath.Leg] {
      try MigrationPath(
        from: "App", via: via, to: "App 10", in: versions,
        definitions: [.init(from: "App 2", to: "App 3"), .init(from: "App 3", to: "App 9")]
      ).legs
    }
    #expect(try path() == [inferred("App", "App 10")])
    #expect(
      try path("App 2", "App 3")
        == [inferred("App", "App 2"), custom("App 2", "App 3"), inferred("App 3", "App 10")])
    // Any order is accepted, because the order of the names may be wrong.
    #expect(
      try path("App 9", "App 2")
        == [inferred("App", "App 9"), inferred("App 9", "App 2"), inferred("App 2", "App 10")])
    #expect(throws: MigrationPathError.unknownVersion("App 4", known: versions)) {
      try path("App 4")
    }
    #expect(throws: MigrationPathError.circle("App 2")) { try path("App 2", "App 3", "App 2") }
    #expect(throws: MigrationPathError.circle("App")) { try path("App") }
  }

  @Test func definitionsThatOverlapAreRefused() {
    #expect(
      throws: MigrationPathError.overlap(
        .init(from: "App", to: "App 3"), .init(from: "App 2", to: "App 9"))
    ) { try path("App", "App 10", ("App", "App 3"), ("App 2", "App 9")) }
  }

  @Test func unknownVersionsAreNamed() {
    #expect(throws: MigrationPathError.unknownVersion("App 4", known: versions)) {
      try path("App", "App 4")
    }
  }
}
