import StoreModel
import StorePredicate
import TestSupport
import Testing

@testable import SQLiteAccess
@testable import StoreMigration

@Suite struct MigrationPlannerTests {
  /// The golden file contains the strategy of every table, the statements and the checks, so a diff shows the effect of
  /// a change.
  @Test(arguments: PlannedChange.all) func plan(_ change: PlannedChange) throws {
    let trial = try PlanTrial(change.source)
    let outcome = try trial.migrate(to: change.target)
    #expect(outcome.problems.isEmpty)
    #expect(outcome.failures.isEmpty)
    Golden.expect(outcome.text, matches: "plans/\(change.name).txt")
  }

  /// Migrates from the target to the source, which makes every change a different one.
  @Test(arguments: PlannedChange.all) func back(_ change: PlannedChange) throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      let outcome = try PlanTrial(change.target, seed: seed).migrate(to: change.source)
      guard outcome.problems.isEmpty else { continue }
      #expect(outcome.failures.isEmpty)
    }
  }

  @Test func aChainIsOnePass() throws {
    func model(_ name: String, _ attributes: AttributeDescription...) -> DataModel {
      DataModel(name: name, entities: [EntityDescription(name: "Item", attributes: attributes)])
    }
    let one = model("1", AttributeDescription(name: "a", type: .integer16, isOptional: true))
    let two = model(
      "2",
      AttributeDescription(name: "b", type: .integer32, isOptional: true, renamingIdentifier: "a"),
      AttributeDescription(name: "gone", type: .string, defaultValue: .string("x")))
    let three = model(
      "3",
      AttributeDescription(
        name: "c", type: .integer64, defaultValue: .integer(7), renamingIdentifier: "b"))
    let first = MappingInference.infer(ModelPairing(from: one, to: two))
    let second = MappingInference.infer(ModelPairing(from: two, to: three))
    let both = try #require(first.followed(by: second))
    #expect(
      both.entities.map(\.attributes) == [
        ["c": AttributeOrigin(.attribute("a"), fallback: .integer(7))]
      ])
    let outcome = try PlanTrial(one).migrate(to: three, by: both)
    #expect(outcome.failures.isEmpty)
    #expect(outcome.plan.tables.map(\.strategy) == [.update])
  }

  @Test func anExpressionMustFillWhatIsRequired() throws {
    func model(_ attribute: AttributeDescription) -> DataModel {
      DataModel(name: "M", entities: [EntityDescription(name: "Item", attributes: [attribute])])
    }
    let source = model(AttributeDescription(name: "old", type: .string, isOptional: true))
    let mapping = ModelMapping(
      from: source, to: model(AttributeDescription(name: "new", type: .string)),
      entities: [
        EntityMapping(
          from: "Item", to: "Item",
          attributes: [
            "new": AttributeOrigin(
              .expression(try source.value("uppercase:(old)", of: "Item", as: .string)))
          ])
      ])
    let outcome = try PlanTrial(source, rows: 20).migrate(to: mapping.target, by: mapping)
    #expect(
      outcome.problems == [
        .missingValue(entity: "Item", attribute: "new", type: .string, sourceAttribute: nil)
      ])
  }

  @Test func splitsMergesPathsAndMatches() throws {
    let source = DataModel(
      name: "Old",
      entities: [
        EntityDescription(
          name: "Person",
          attributes: [
            AttributeDescription(name: "isCompany", type: .boolean),
            AttributeDescription(name: "city", type: .string, isOptional: true),
            AttributeDescription(name: "name", type: .string, isOptional: true),
          ],
          relationships: [
            RelationshipDescription(name: "boss", destination: "Person", isOptional: true)
          ]),
        EntityDescription(
          name: "City",
          attributes: [AttributeDescription(name: "name", type: .string, isOptional: true)]),
      ])
    let target = DataModel(
      name: "New",
      entities: [
        EntityDescription(
          name: "Party", isAbstract: true,
          attributes: [AttributeDescription(name: "label", type: .string, isOptional: true)]),
        EntityDescription(
          name: "Company", parent: "Party",
          relationships: [
            RelationshipDescription(name: "place", destination: "City", isOptional: true)
          ]),
        EntityDescription(
          name: "Human", parent: "Party",
          relationships: [
            RelationshipDescription(name: "chief", destination: "Human", isOptional: true),
            RelationshipDescription(name: "bossOfBoss", destination: "Human", isOptional: true),
          ]),
        EntityDescription(
          name: "City",
          attributes: [AttributeDescription(name: "name", type: .string, isOptional: true)]),
      ])
    func filter(_ text: String) throws -> TypedPredicate {
      try PredicateChecker(model: source, entity: "Person").check(FormatPredicate(parsing: text))
        .typed
    }
    let label = AttributeOrigin(
      .expression(try source.value("uppercase:(name)", of: "Person", as: .string)))
    let place = try TypedMatch(
      MatchPredicate(FormatPredicate(parsing: "name == $source.city")), source: (source, "Person"),
      target: (target, "City"))
    let boss = try PredicateChecker(model: source, entity: "Person")
      .check(FormatExpression(parsing: "boss.boss")).typed
    let mapping = ModelMapping(
      from: source, to: target,
      entities: [
        EntityMapping(
          from: "Person", to: "Company", filter: try filter("isCompany == YES"),
          attributes: ["label": label],
          relationships: ["place": .matching(place)]),
        EntityMapping(
          from: "Person", to: "Human", filter: try filter("isCompany == NO"),
          attributes: ["label": label],
          relationships: [
            "chief": .relationship("boss"),
            "bossOfBoss": .path(boss),
          ]),
        EntityMapping(
          from: "City", to: "City", attributes: ["name": AttributeOrigin(.attribute("name"))]),
      ])
    let trial = try PlanTrial(source, rows: 30)
    let expected = try trial.integer(
      """
      SELECT sum((SELECT min(Z_PK) FROM ZCITY c WHERE c.ZNAME = p.ZCITY)) FROM ZPERSON p \
      WHERE p.ZISCOMPANY
      """)
    let outcome = try trial.migrate(to: target, by: mapping)
    #expect(outcome.failures.isEmpty)
    #expect(expected > 0)
    #expect(try trial.integer("SELECT sum(ZPLACE) FROM ZPARTY") == expected)
    Golden.expect(outcome.text, matches: "plans/definition.txt")
  }
}

extension PlanTrial.Result {
  var text: String {
    let ways = plan.tables.map { "\($0.from ?? "-") → \($0.to ?? "-"): \($0.strategy.rawValue)" }
    let steps = plan.steps.filter { $0.effect != .bookkeeping }
    let parts = [
      ways, plan.notes, plan.checks.map { "must be empty: \($0.offenders.literalText)" },
      plan.losses.map { "\($0.name): \($0.count.literalText)" },
      steps.map { "\($0.sql.literalText);" },
      plan.proofs.flatMap {
        ["\($0.subject): \($0.before.literalText)", "    \($0.after.literalText)"]
      },
    ]
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
      + "\n"
  }
}
